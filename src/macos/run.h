// bawn::run on macOS, with the host as a parameter, so that tests run on other systems too.
#pragma once

#include <string>

#include "host/facts.h"
#include "macos/launch.h"
#include "run/bawn.h"
#include "run/plan_preview.h"

namespace bawn::macos {

struct Host {
  HostFacts facts;
  std::string sandbox_exec = std::string(kSandboxExec);
};

[[nodiscard]] Outcome run(const Policy& policy, Request request, const RunOptions& options,
                          const Host& host);

[[nodiscard]] PlanPreview plan_only(const Policy& policy, Request& request,
                                    const RunOptions& options, const Host& host);

}  // namespace bawn::macos
