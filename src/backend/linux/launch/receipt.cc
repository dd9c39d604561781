#include "backend/linux/launch/receipt.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "backend/linux/landlock/ruleset.h"
#include "backend/linux/seccomp/filter.h"
#include "base/text.h"
#include "run/receipt_lines.h"
#include "run/unix_limits.h"

namespace bawn::linux_ {
namespace {

class ReceiptWriter : ReceiptLines {
 public:
  ReceiptWriter(const Plan& plan, const RunFilter& filter, const HostFacts& host,
                const init::Readback& readback, const std::optional<CgroupSummary>& cgroup)
      : ReceiptLines(plan), filter_(filter), host_(host), readback_(readback), cgroup_(cgroup) {}

  std::vector<Enforcement> run() && {
    add_process();
    add_terminal();
    if (plan().tier == Tier::unconfined) {
      add_unconfined();
    } else {
      add_privileges();
      if (plan().tier == Tier::c) {
        add_tier_c();
      } else {
        add_tier_b();
      }
    }
    add_limits();
    return take();
  }

 private:
  void add_process() {
    const std::string init =
        plan().tier == Tier::c
            ? concat("init is pid 1 of ",
                     plan().as_pid_1 ? "a pid namespace around the command's own"
                                     : "the run's pid namespace",
                     ", without capabilities and under a seccomp filter of its own")
            : concat("PR_GET_CHILD_SUBREAPER=", readback_.subreaper, " in init");
    enforced("process_tree",
             concat(init, "; PR_GET_DUMPABLE=", readback_.init_dumpable, "; ",
                    readback_.cloned_by_clone3
                        ? "clone3 made the command's process"
                        : "clone made the command's process, after clone3 was refused"));
    const char* session = plan().terminal.use == TerminalUse::own && !plan().terminal.led_by_command
                              ? "getsid: init leads it; the command has a process group of its own"
                              : "setsid: session id is the command's pid";
    enforced("session", readback_.session_is_own == 1 ? session : "not its own");
    enforced("open_files", "close_range from 3 on succeeded");
    add("stdio", plan().tier == Tier::unconfined ? LayerState::not_requested : LayerState::enforced,
        describe_routes(plan().stdio));
    enforced("keyring", readback_.keyring >= 0
                            ? concat("session keyring ", readback_.keyring)
                            : concat("keyctl is refused: ", errno_text(-readback_.keyring)));
  }

  void add_terminal() {
    switch (plan().terminal.use) {
      case TerminalUse::own:
        return enforced("terminal", concat(plan().tier == Tier::c ? "a pty of the run's own devpts"
                                                                  : "a pty of the run's own",
                                           "; it is its session's controlling terminal: ",
                                           readback_.terminal == 1 ? "TIOCGSID agrees" : "not"));
      case TerminalUse::the_callers:
        return not_requested("terminal", "the command has the caller's own terminal");
      case TerminalUse::none:
        return not_requested("terminal", "the command is not given one");
    }
  }

  void add_privileges() {
    enforced("no_new_privs", concat("PR_GET_NO_NEW_PRIVS=", readback_.no_new_privs));
    enforced("capabilities",
             readback_.bounding == 0
                 ? "capget: all sets empty; bounding set empty"
                 : "capget: all sets empty; bounding set kept, no_new_privs makes it useless");
  }

  // Tier b has no namespaces: Landlock and the filter are the only layers.
  void add_tier_b() {
    add_landlock();
    add_filter();
    enforced("unix_sockets", "the filter refuses every AF_UNIX socket but pairs");
    add_network();
    if (host_.tier_c_reason.empty()) {
      not_requested("namespaces", "tier b has none");
    } else {
      absent("namespaces", host_.tier_c_reason);
    }
  }

  void add_tier_c() {
    for (std::uint32_t i = 0; i < init::kNamespaceCount; ++i) add_namespace(kNamespaceNames[i], i);
    enforced("user", concat("uid ", readback_.uid, " and gid ", readback_.gid, " inside are ",
                            plan().user.host_uid, " and ", plan().user.host_gid, " on the host",
                            kept_groups()));
    add_id_ranges();
    enforced("root", concat("pivot_root; statfs('/') flags ", readback_.root_flags, ": read-only; ",
                            readback_.mounts_made, " mounts with their flags read back"));
    enforced("proc", readback_.fresh_proc == 1
                         ? std::string("a new one for the pid namespace, read-only")
                         : concat("none: the kernel refuses a new one here: ",
                                  errno_text(-readback_.fresh_proc)));
    add_landlock_behind_mounts();
    add_filter();
    add_own_network();
  }

  void add_namespace(std::string_view name, std::uint32_t index) {
    const std::string layer = concat("namespace.", name);
    const std::uint64_t inside = readback_.namespaces[index];
    const std::uint64_t callers = host_.namespaces[index];
    const std::string_view first = index == init::kPidNamespace && readback_.is_pid_1
                                       ? "; getpid: the command is its process 1"
                                       : "";
    if (inside == 0) {
      enforced(layer, concat("clone made it; there is no /proc to read it back from", first));
    } else if (inside == callers) {
      not_requested(layer, concat(name, ":[", inside, "] is the caller's"));
    } else {
      enforced(layer, concat(name, ":[", inside, "], the caller's is ", callers, first));
    }
  }

  // If the maps that were read back had differed from the plan, the launch would have failed.
  void add_id_ranges() {
    const std::optional<IdMaps>& maps = plan().user.maps;
    if (!maps) return not_requested("id_ranges", "one user and one group exist inside");
    enforced("id_ranges", concat("uid_map, read back: ", describe_id_map(maps->users),
                                 " on the host; gid_map: ", describe_id_map(maps->groups)));
  }

  [[nodiscard]] std::string kept_groups() const {
    if (readback_.groups == 0) return ", in no other group";
    return concat(", in ", readback_.groups, " more ", readback_.groups == 1 ? "group" : "groups",
                  " of the caller, which only root can leave");
  }

  void add_landlock_behind_mounts() {
    if (host_.landlock_abi == 0) {
      absent("landlock", "the kernel has no Landlock; the mounts alone confine files");
      return;
    }
    enforced("landlock", concat("ABI ", host_.landlock_abi, "; mknod of a device gives ",
                                errno_text(readback_.landlock_probe)));
  }

  void add_filter() {
    enforced("system_calls",
             concat("PR_GET_SECCOMP=", readback_.seccomp_mode, ", filter ", filter_.name, " of ",
                    filter_.code().size(), " instructions, ", filter_.hash));
    enforced("set_id_files",
             plan().refuse_set_group_id
                 ? "the filter refuses every mode with S_ISUID or S_ISGID"
                 : "the filter refuses every mode with S_ISUID; it allows S_ISGID, which git and "
                   "tar need and which gives a group that the user already has");
  }

  void add_own_network() {
    if (plan().refuse_network) {
      enforced("network", "a network namespace with a loopback and nothing else");
    } else {
      not_requested("network", "the command's network is not isolated");
    }
  }

  void add_landlock() {
    const std::string probe =
        readback_.landlock_probe == 0
            ? std::string("the policy grants '/'")
            : concat("open of '/' gives ", errno_text(readback_.landlock_probe));
    enforced("landlock",
             concat("ABI ", host_.landlock_abi, ", ", plan().files.size(), " grants; ", probe));
    for (const LandlockGap& gap : landlock_gaps(host_.landlock_abi)) absent(gap.layer, gap.why);
  }

  void add_network() {
    if (!plan().refuse_network) {
      not_requested("network", "the command's network is not isolated");
      return;
    }
    enforced("network", "the filter refuses every socket that leads out of the run");
  }

  [[nodiscard]] std::string as_set(ProcessLimit limit) const {
    return rlimit_as_set(plan(), readback_.rlimits, limit);
  }

  [[nodiscard]] std::string_view file_of(CgroupController controller) const {
    return limit_file(cgroup_->version, controller);
  }

  [[nodiscard]] std::string in_cgroup(CgroupController controller) const {
    return concat(" in ", quote(plan().cgroup->directory_of(controller)), ", the whole tree");
  }

  static std::string counted(std::string_view what, const std::optional<std::uint64_t>& count) {
    return count ? concat("; ", what, " ", *count) : concat("; ", what, " not counted");
  }

  // The memory limit of a cgroup, as it was read back.
  [[nodiscard]] std::string describe_memory(const CgroupReadback& in_force) const {
    return concat(
        file_of(CgroupController::memory), " ", in_force.limits.memory_bytes.value_or(0),
        in_force.swap_bounded ? " with swap" : " without swap, which the kernel does not count");
  }

  [[nodiscard]] std::string memory_evidence() const {
    if (!cgroup_ || !cgroup_->in_force.limits.memory_bytes)
      return concat(as_set(ProcessLimit::memory_data), ", private writable memory");
    return concat(describe_memory(cgroup_->in_force), in_cgroup(CgroupController::memory),
                  counted("oom_kill", cgroup_->counts.oom_kills));
  }

  // If the cgroup does not count swap, the run can use that much more.
  void add_memory() {
    const bool swap_escapes =
        cgroup_ && cgroup_->in_force.limits.memory_bytes && !cgroup_->in_force.swap_bounded;
    if (swap_escapes) return add("limit.memory", LayerState::partial, memory_evidence());
    add_limit("memory", "memory_bytes", plan().limits.memory_bytes, memory_evidence());
  }

  [[nodiscard]] std::string process_evidence() const {
    if (!cgroup_ || !cgroup_->in_force.limits.processes)
      return concat(as_set(ProcessLimit::processes), ", of which ", plan().user_tasks,
                    " were taken by the user's other tasks");
    return concat("pids.max ", *cgroup_->in_force.limits.processes,
                  in_cgroup(CgroupController::pids),
                  counted("refused", cgroup_->counts.pids_refused));
  }

  // If a parent ignores SIGCHLD and never waits for a child, the kernel adds the time of that child
  // to no other process.
  [[nodiscard]] std::string time_evidence() const {
    const bool counted =
        cgroup_ && cgroup_->counts.cpu_user_usec && cgroup_->counts.cpu_system_usec;
    const bool has_proc = plan().tier != Tier::c || readback_.fresh_proc == 1;
    return concat(counted    ? "whole tree, cpu.stat of its cgroup"
                  : has_proc ? "processes that are alive or were waited for, measured by init"
                             : "processes that were waited for, measured by init",
                  "; backstop ", as_set(ProcessLimit::cpu_seconds), " s per process");
  }

  [[nodiscard]] std::string rate_evidence() const {
    if (!cgroup_ || !cgroup_->in_force.limits.cpu_rate) return "";
    const CpuRate& rate = *cgroup_->in_force.limits.cpu_rate;
    return concat(file_of(CgroupController::cpu), " ", rate.quota_us, " of ", rate.period_us, " us",
                  in_cgroup(CgroupController::cpu));
  }

  void add_budget() {
    const CgroupReadback& budget = *cgroup_->budget;
    const auto where = [&](CgroupController controller) {
      return concat(" in ", quote(plan().cgroup->budget_directory_of(controller)),
                    ", all runs below it");
    };
    if (budget.limits.memory_bytes)
      add_total("limit.total_memory", describe_memory(budget) + where(CgroupController::memory),
                *budget.limits.memory_bytes, cgroup_->budget_at_end.memory_bytes,
                budget.swap_bounded ? LayerState::enforced : LayerState::partial);
    if (budget.limits.processes)
      add_total("limit.total_processes",
                concat("pids.max ", *budget.limits.processes, where(CgroupController::pids),
                       first_process()),
                *budget.limits.processes, cgroup_->budget_at_end.processes, LayerState::enforced);
  }

  // Each run sets the budget of its policy for all runs. A smaller budget set by another run is
  // still a bound.
  void add_total(std::string layer, std::string evidence, std::uint64_t set, const Limit& now,
                 LayerState state) {
    if (now == set) return add(std::move(layer), state, std::move(evidence));
    const std::string end = now ? concat(*now) : "no limit that can be read";
    add(std::move(layer), now && *now < set ? state : LayerState::absent,
        concat(evidence, "; but at the end it was ", end, ": another process changed it"));
  }

  // pids.max is checked when a process is made, not when one moves into the cgroup.
  [[nodiscard]] std::string_view first_process() const {
    return readback_.cloned_into_cgroup
               ? ""
               : "; the first process of each run enters even if the budget is used up";
  }

  void add_cgroup() {
    if (cgroup_) {
      enforced("cgroup",
               concat(cgroup_->version == CgroupVersion::v2 ? "v2" : "v1", ", ",
                      readback_.cloned_into_cgroup ? "the command was cloned into it"
                                                   : "the command entered it",
                      " and found itself alone in ", readback_.cgroups_entered,
                      readback_.cgroups_entered == 1 ? " cgroup.procs" : " files cgroup.procs"));
    } else if (!plan().no_cgroup.empty()) {
      absent("cgroup", plan().no_cgroup);
    } else {
      not_requested("cgroup", "no limit needs one");
    }
  }

  void add_limits() {
    const Limits& limits = plan().limits;
    add_wall_time();
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms, time_evidence());
    add_memory();
    add_limit("processes", "processes", limits.processes, process_evidence());
    add_limit("cpu_percent", "cpu_percent", limits.cpu_percent, rate_evidence());
    if (limits.total_memory_bytes || limits.total_processes) add_budget();
    add_limit("open_files", "open_files", limits.open_files, as_set(ProcessLimit::open_files));
    add_limit("file_size", "file_bytes", limits.file_bytes, as_set(ProcessLimit::file_bytes));
    add_output();
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes,
              concat("tmpfs of ", limits.tmp_bytes.value_or(0), " bytes"));
    add_cgroup();
    enforced("limit.core", as_set(ProcessLimit::core_bytes));
  }

  const RunFilter& filter_;
  const HostFacts& host_;
  const init::Readback& readback_;
  const std::optional<CgroupSummary>& cgroup_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const RunFilter& filter,
                                      const HostFacts& host, const init::Readback& readback,
                                      const std::optional<CgroupSummary>& cgroup) {
  return ReceiptWriter(plan, filter, host, readback, cgroup).run();
}

}  // namespace bawn::linux_
