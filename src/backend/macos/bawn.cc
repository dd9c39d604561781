// The library's functions and doctor's, for the Mac that this runs on.
#include "api/run.h"

#include "backend/macos/doctor.h"
#include "backend/macos/run.h"
#include "doctor/doctor.h"
#include "host/probe.h"
#include "policy/policy.h"
#include "run/plan_preview.h"

namespace bawn {

Outcome run(const Policy& policy, Request request, const RunOptions& options) {
  return macos::run(policy, std::move(request), options, {probe_host()});
}

PlanPreview plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  return macos::plan_only(policy, request, options, {probe_host()});
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

CheckResults examine_host() { return macos::examine(std::string(macos::kSandboxExec)); }

}  // namespace bawn
