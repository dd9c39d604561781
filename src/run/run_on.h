// Runs and plans on a given backend. bawn.h uses the backend of this system; tests use others.
#pragma once

#include <memory>

#include "api/run.h"
#include "run/backend.h"
#include "run/plan_preview.h"

namespace bawn {

// See Run::start().
[[nodiscard]] Run start_on(std::unique_ptr<Backend> backend, Policy policy, Request request,
                           RunOptions options);

// Steps the run until it is done, and waits in between. Cancels it once `cancel_fd` is readable,
// unless that is -1.
[[nodiscard]] Outcome finish(Run run, int cancel_fd = -1);

// See plan_preview.h. Executes nothing.
[[nodiscard]] PlanPreview preview_on(std::unique_ptr<Backend> backend, const Policy& policy,
                                     Request& request, const RunOptions& options);

}  // namespace bawn
