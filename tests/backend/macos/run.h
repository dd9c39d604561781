// bawn::run on macOS, with the host as a parameter: for tests on other systems. Same thread rule
// and promises as api/bawn.h.
#pragma once

#include "backend/macos/macos_backend.h"
#include "run/run_on.h"

namespace bawn::macos {

// See bawn::run.
[[nodiscard]] inline Outcome run(const Policy& policy, Request request, const RunOptions& options,
                                 const Host& host, int cancel_fd = -1) {
  return finish(start_on(std::make_unique<MacosBackend>(host), policy, std::move(request), options),
                cancel_fd);
}

// See run/plan_preview.h. Executes nothing.
[[nodiscard]] inline PlanPreview plan_only(const Policy& policy, Request& request,
                                           const RunOptions& options, const Host& host) {
  return preview_on(std::make_unique<MacosBackend>(host), policy, request, options);
}

}  // namespace bawn::macos
