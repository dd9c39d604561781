// From how a run ended to what the caller is told about it. Pure.
#pragma once

#include "host/facts.h"
#include "host/setup_error.h"
#include "linux/cgroup_guard.h"
#include "linux/outer_memory.h"
#include "linux/seccomp_filter.h"
#include "linux/supervisor.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

// `cgroup` is what the run's own was and counted, if it had one; `outer` what those around it
// counted, if that was asked for. Everything but the captured output, the run id and the duration.
[[nodiscard]] Outcome conclude(const Supervised& supervised, const Plan& plan,
                               const RunFilter& filter, const HostFacts& host,
                               const std::optional<CgroupSummary>& cgroup,
                               const std::optional<OuterKill>& outer = {});

// Why the host cannot give a run namespaces, if that is why it did not start; "" otherwise, and if
// it was only short of something.
[[nodiscard]] std::string lack_of_namespaces(const init::Report& failure,
                                             const NamespaceLimits& limits);

// The same for a cgroup.
[[nodiscard]] std::string lack_of_cgroup(const init::Report& failure);

}  // namespace bawn
