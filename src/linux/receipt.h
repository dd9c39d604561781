// The enforcement receipt of a run: every layer, with what the kernel said when it was asked.
#pragma once

#include <optional>
#include <vector>

#include "host/facts.h"
#include "linux/cgroup_guard.h"
#include "linux/init/messages.h"
#include "linux/seccomp_filter.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan, const RunFilter& filter,
                                                    const HostFacts& host,
                                                    const init::Readback& readback,
                                                    const std::optional<CgroupSummary>& cgroup);

}  // namespace bawn
