#include "backend/linux/launch/conclude.h"

#include <signal.h>

#include <cerrno>
#include <utility>

#include "backend/linux/launch/launch_steps.h"
#include "backend/linux/launch/receipt.h"
#include "backend/linux/lookup/path_lookup.h"
#include "base/text.h"
#include "outcome/denial.h"
#include "policy/text/hint.h"
#include "run/record/failure.h"
#include "run/record/post_run_checks.h"
#include "run/unix/ending.h"
#include "supervise/ending.h"
#include "validate/program/script.h"

namespace bawn::linux_ {
namespace {

// The kernel adds a child's usage to its parent's only if the parent waits for the child. A cgroup
// counts everything.
Usage usage_of(const init::Report& report, const std::optional<CgroupSummary>& cgroup) {
  Usage usage = {report.cpu_user_us / 1000, report.cpu_system_us / 1000, report.max_rss_bytes};
  if (cgroup && cgroup->counts.cpu_user_usec)
    usage.cpu_user_ms = *cgroup->counts.cpu_user_usec / 1000;
  if (cgroup && cgroup->counts.cpu_system_usec)
    usage.cpu_system_ms = *cgroup->counts.cpu_system_usec / 1000;
  return usage;
}

// These errors mean that the file cannot be executed: the caller's mistake, not a failure of bawn.
bool is_not_executable(const init::Report& failure) {
  if (failure.step != init::Step::execute) return false;
  return failure.error == ENOEXEC || failure.error == EACCES || failure.error == ENOENT ||
         failure.error == ELIBBAD;
}

bool is_about_a_mount(const init::Report& failure) {
  return failure.step == init::Step::base_mount || failure.step == init::Step::mount ||
         failure.step == init::Step::nested_proc;
}

// The object of the failed step, as the plan names it: " '/usr' (system)".
std::string object_of(const init::Report& failure, const Plan& plan) {
  const auto index = static_cast<std::size_t>(failure.index);
  const auto* namespaces = plan.part<NamespacesPlan>();
  if (namespaces != nullptr && is_about_a_mount(failure) &&
      index < namespaces->root.mounts.size()) {
    const MountOp& op = namespaces->root.mounts[index];
    return concat(" ", quote(op.destination), " (", op.origin, ")");
  }
  const std::string& cwd = namespaces != nullptr ? namespaces->root.cwd : plan.cwd.path;
  if (failure.step == init::Step::open_cwd) return concat(" ", quote(cwd));
  if (failure.step == init::Step::change_directory && !plan.cwd.path.empty())
    return concat(" ", quote(cwd));
  if (failure.step == init::Step::open_executable)
    return concat(" ", quote(plan.program.file.path));
  return failure.index == 0 ? "" : concat(" [", failure.index, "]");
}

// The errno misleads. For a script the kernel looks for the interpreter that it names; and through
// a descriptor that exec closes, the script itself is missing too (ENOENT). bawn starts the
// interpreter instead for every script that it can read, so ENOENT for an unreadable file means a
// script.
Outcome exec_refused(int error, const Plan& plan) {
  const Located& file = plan.program.file;
  const FileSystemLookup lookup;
  const std::optional<std::string> head = lookup.head(file, kShebangBytes);
  const std::string reason = errno_text(error);
  if (!head && !lookup.shortage() && error == ENOENT) {
    return not_executable(
        plan, concat("you may not read it, and a script must be read by its interpreter: ", reason),
        "make it readable: chmod +r FILE");
  }
  if (error == ENOENT)
    return not_executable(plan, concat("the loader that it names is missing: ", reason),
                          "the run sees the system's loaders only; for another try --ro DIR with "
                          "its directory (policy key: filesystem.read)");
  if (error == ENOEXEC && head && is_text_without_shebang(*head)) {
    return not_executable(plan, reason,
                          "it is not a program for this machine, and it does not begin with '#!': "
                          "if it is a script, begin it with #!/bin/sh, or run sh FILE");
  }
  return not_executable(plan, reason, std::string(describe_step(init::Step::execute).hint));
}

Outcome start_failure(const init::Report& failure, const Plan& plan) {
  if (is_not_executable(failure)) return exec_refused(failure.error, plan);
  const StepDescription& description = describe_step(failure.step);
  const std::string reason = errno_text(failure.error);
  std::string hint(step_hint(failure.step, failure.error));
  return failed_outcome(
      "", FailureKind::spawn_failed,
      concat("nothing ran: could not ", description.what, object_of(failure, plan), ": ", reason),
      std::string(description.name), std::move(hint));
}

bool is_more_than_none(const std::optional<std::uint64_t>& count) { return count.value_or(0) > 0; }

// Whether the OOM killer acted on a limit that bawn set. A limit above, or a machine without free
// memory, kills too. If the kernel does not say which limit was met, it is taken to be ours.
bool met_memory_limit(const std::optional<CgroupSummary>& cgroup) {
  if (!cgroup || !is_more_than_none(cgroup->counts.oom_kills)) return false;
  return cgroup->budget || cgroup->counts.own_limit_met.value_or(1) > 0;
}

// With two limits, either may have been met.
std::string describe_memory_limit(const Limits& limits) {
  const std::string own = concat("of ", limits.memory_bytes.value_or(0), " bytes");
  const std::string total =
      concat("of ", limits.total_memory_bytes.value_or(0), " bytes for all runs together");
  if (limits.memory_bytes && limits.total_memory_bytes)
    return concat(own, ", or that ", total, ",");
  return limits.memory_bytes ? own : total;
}

void name_memory_limit(const Limits& limits, Outcome& outcome) {
  end_by_quota(
      outcome, "memory", concat("the memory limit ", describe_memory_limit(limits), " was reached"),
      limits.memory_bytes ? raise_limit("limits.memory_bytes", limits.memory_bytes)
                          : raise_limit("limits.total_memory_bytes", limits.total_memory_bytes));
}

// The command failed by itself, and a limit had refused it something. One does not prove the other,
// so the status stays and only the limit is named.
void name_refusal(const Supervised& supervised, const Limits& limits,
                  const std::optional<CgroupSummary>& cgroup, Outcome& outcome) {
  if (outcome.success() || !outcome.limit.empty()) return;
  if (met_memory_limit(cgroup)) {
    outcome.limit = "memory";
    outcome.limit_hint = raise_limit("limits.memory_bytes", limits.memory_bytes);
  } else if (cgroup && is_more_than_none(cgroup->counts.pids_refused)) {
    outcome.limit = "processes";
    outcome.limit_hint = raise_limit("limits.processes", limits.processes);
  } else if (supervised.last.scratch_full) {
    outcome.limit = "tmp";
    outcome.limit_hint = raise_limit("limits.tmp_bytes", limits.tmp_bytes);
  }
}

void tell_ending(const Supervised& supervised, const Plan& plan, const HostFacts& host,
                 const std::optional<CgroupSummary>& cgroup, Outcome& outcome) {
  if (supervised.run.ending == Ending::exited) {
    if (outcome.signal == SIGKILL && met_memory_limit(cgroup))
      return name_memory_limit(plan.limits, outcome);
    name_kernel_limit(plan.limits, host.hard_limit(ProcessLimit::cpu_seconds), outcome);
    name_refusal(supervised, plan.limits, cgroup, outcome);
    return;
  }
  if (name_ending(supervised.run.ending, plan.limits, outcome)) return;
  outcome.status = Status::failed;
  outcome.error =
      Failure{FailureKind::runtime_failure, "the sandbox's init died unexpectedly", "",
              "look for a process that kills others of this user, or for memory pressure"};
}

// A SIGKILL does not tell its sender, so only the counters are reported.
void name_outer_kill(const OuterKill& kill, Outcome& outcome) {
  const std::string bytes = kill.memory_bytes ? concat(", ", *kill.memory_bytes, " bytes") : "";
  const std::string whose =
      kill.directory.empty() ? "the machine, or a cgroup that bawn cannot read, was out of memory"
                             : concat("the memory limit of an outer cgroup (",
                                      quote(kill.directory), bytes, ") was reached");
  outcome.error =
      Failure{FailureKind::runtime_failure,
              concat("signal SIGKILL, which bawn did not send: ", whose,
                     ", and the kernel has killed ", kill.kills,
                     kill.kills == 1 ? " process" : " processes", " for it since the run began"),
              "",
              "give the batch job, container or session more memory, or try a smaller --memory "
              "SIZE (policy key: limits.memory_bytes), so that the run meets its own limit first"};
}

// A process in uninterruptible sleep survives SIGKILL; the receipt must not claim otherwise.
void admit_what_is_left(const Supervised& supervised, const Plan& plan, Outcome& outcome) {
  const bool lost = supervised.run.ending == Ending::init_lost;
  if (!supervised.run.tree_gone && !outcome.enforcement.empty())
    admit(outcome, "process_tree",
          lost ? "the sandbox's init was killed; its surviving processes are no longer supervised"
               : "some processes of the run were still alive when the outcome was due; init keeps "
                 "killing them");
  if ((lost || !supervised.init_gone) && !plan.private_name.empty())
    admit(outcome, "private_directory",
          lost ? "not removed: init was killed" : "not removed yet when the outcome was due");
}

// Whether the failed step shows that the host cannot give namespaces. A mount that failed is about
// that mount, unless the host lacks the call (ENOSYS). The cgroup namespace is made last: by the
// command's clone, or when the command enters its cgroup.
SetupError judge_step(const init::Report& failure, const NamespaceLimits& limits) {
  using init::Step;
  const bool makes_root =
      failure.step >= Step::read_namespaces && failure.step <= Step::leave_old_root;
  if (makes_root && (!is_about_a_mount(failure) || failure.error == ENOSYS))
    return judge_setup_error(failure.error);
  if (failure.step == Step::netns) return judge_new_namespaces(failure.error, limits, {"net"});
  const bool makes_last = failure.step == Step::clone_command || failure.step == Step::enter_cgroup;
  if (makes_last && failure.error == ENOSPC)
    return judge_new_namespaces(ENOSPC, limits, {"cgroup"});
  return SetupError::unclear;
}

}  // namespace

std::string lack_of_namespaces(const init::Report& failure, const NamespaceLimits& limits) {
  if (judge_step(failure, limits) != SetupError::impossible) return "";
  return concat("could not ", describe_step(failure.step).what, ": ", errno_text(failure.error));
}

std::string lack_of_cgroup(const init::Report& failure) {
  if (failure.step != init::Step::enter_cgroup) return "";
  if (judge_cgroup(failure.error) != SetupError::impossible) return "";
  return concat("could not ", describe_step(failure.step).what, ": ", errno_text(failure.error));
}

Outcome conclude(const Supervised& supervised, const Plan& plan, const RunFilter& filter,
                 const HostFacts& host, const std::optional<CgroupSummary>& cgroup,
                 const std::optional<OuterKill>& outer) {
  if (supervised.failure) return start_failure(*supervised.failure, plan);
  Outcome outcome;
  outcome.tier = plan.tier;
  outcome.executor = "linux.init";
  outcome.usage = usage_of(supervised.last, cgroup);
  if (supervised.start) {
    outcome.was_sandboxed = plan.tier != Tier::unconfined;
    outcome.enforcement = make_receipt(plan, filter, host, supervised.callers_namespaces,
                                       supervised.start->readback, cgroup);
  }
  if (supervised.wait_status) take_wait_status(*supervised.wait_status, outcome);
  tell_ending(supervised, plan, host, cgroup, outcome);
  if (outer && outcome.signal == SIGKILL && outcome.status == Status::signaled)
    name_outer_kill(*outer, outcome);
  admit_what_is_left(supervised, plan, outcome);
  return outcome;
}

}  // namespace bawn::linux_
