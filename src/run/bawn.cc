// The functions of bawn.h on the backend of this system. Each backend's library compiles this file.
#include "api/run.h"

#include <utility>

#include "run/plan_preview.h"
#include "run/run_on.h"

namespace bawn {

Run Run::start(Policy policy, Request request, RunOptions options) {
  return start_on(make_backend(), std::move(policy), std::move(request), std::move(options));
}

Outcome run(const Policy& policy, Request request, const RunOptions& options) {
  return finish(Run::start(policy, std::move(request), options));
}

PlanPreview plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  return preview_on(*make_backend(), policy, request, options);
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
