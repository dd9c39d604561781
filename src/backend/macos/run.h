// bawn::run on macOS, with the host as a parameter.
//
// src/macos/bawn.cc passes the probed host. Tests pass other facts and a fake sandbox-exec, so they
// run on other systems too. Same thread rule and promises as api/bawn.h.
#pragma once

#include <string>

#include "api/run_options.h"
#include "backend/macos/launch.h"
#include "host/facts.h"
#include "run/plan_preview.h"

namespace bawn {
struct Policy;
}  // namespace bawn

namespace bawn::macos {

// What run() knows about the machine.
struct Host {
  HostFacts facts;
  std::string sandbox_exec = std::string(kSandboxExec);
};

// See bawn::run.
[[nodiscard]] Outcome run(const Policy& policy, Request request, const RunOptions& options,
                          const Host& host);

// See run/plan_preview.h. Starts nothing.
[[nodiscard]] PlanPreview plan_only(const Policy& policy, Request& request,
                                    const RunOptions& options, const Host& host);

}  // namespace bawn::macos
