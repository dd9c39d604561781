// The functions of bawn.h on the backend of this system. Each backend's library compiles this file.
#include "api/run.h"

#include <utility>

#include "run/plan_preview.h"
#include "run/record/failure.h"
#include "run/run_on.h"
#include "run/wait.h"

namespace bawn {

Run Run::start(Policy policy, Request request, RunOptions options) {
  return start_on(make_backend(), std::move(policy), std::move(request), std::move(options));
}

Outcome run(const Policy& policy, Request request, const RunOptions& options, int cancel_fd) {
  if (const auto waitable = require_waitable(cancel_fd); !waitable)
    return not_started(waitable.error().within("cancel_fd"));
  return finish(Run::start(policy, std::move(request), options), cancel_fd);
}

PlanPreview plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  return preview_on(make_backend(), policy, request, options);
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
