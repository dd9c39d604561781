// The enforcement receipt of a run: every layer, with what the kernel said when it was asked.
//
// Pure: it formats the facts that init (`readback`) and bawn (`cgroup`) have collected, and checks
// nothing. A run whose start failed has no receipt: each step that fails ends the launch.
#pragma once

#include <optional>
#include <vector>

#include "backend/linux/cgroup/guard.h"
#include "backend/linux/seccomp/filter.h"
#include "backend/linux/wire/messages.h"
#include "host/facts.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn::linux_ {

// For a run whose command has started. `cgroup` is none if the run had no cgroup.
[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan, const RunFilter& filter,
                                                    const HostFacts& host,
                                                    const NamespaceInodes& callers_namespaces,
                                                    const init::Readback& readback,
                                                    const std::optional<CgroupSummary>& cgroup);

}  // namespace bawn::linux_
