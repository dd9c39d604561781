// Turns the way a run ended into the outcome that the caller gets.
//
// The result depends on the arguments alone, with one exception: if the kernel refused to execute
// the file, its first bytes are read again to explain why. Nothing on the host is changed.
#pragma once

#include "backend/linux/cgroup/guard.h"
#include "backend/linux/cgroup/outer_memory.h"
#include "backend/linux/seccomp/filter.h"
#include "backend/linux/wire/messages.h"
#include "host/facts.h"
#include "host/setup_error.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "supervise/machine.h"

namespace bawn::linux_ {

// What init and the state machine have told about a run that has ended.
struct Supervised {
  RunProgress run;                      // state is `finished`
  std::optional<init::Report> start;    // the command ran: pid and readback
  std::optional<init::Report> failure;  // the command did not run: step and errno
  // Init has exited, after removing the private directory. Not waited for where there is none.
  bool init_gone = false;
  std::optional<int> wait_status;  // of the command itself
  init::Report last{};             // usage as of the last report
  NamespaceInodes callers_namespaces{};
};

// `cgroup` summarises the run's cgroup, if it had one. `outer` tells about the cgroups around it,
// if they were checked after a SIGKILL. The caller adds the captured output, the run id, the
// duration and the post-run checks.
[[nodiscard]] Outcome conclude(const Supervised& supervised, const Plan& plan,
                               const RunFilter& filter, const HostFacts& host,
                               const std::optional<CgroupSummary>& cgroup,
                               const std::optional<OuterKill>& outer = {});

// The reason why this host can never give a run namespaces, if that is why the start failed. "" for
// every other failure, a temporary shortage included.
[[nodiscard]] std::string lack_of_namespaces(const init::Report& failure,
                                             const NamespaceLimits& limits);

// The same for entering the run's cgroup.
[[nodiscard]] std::string lack_of_cgroup(const init::Report& failure);

}  // namespace bawn::linux_
