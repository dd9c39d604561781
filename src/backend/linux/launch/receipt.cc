#include "backend/linux/launch/receipt.h"

#include <sys/statvfs.h>

#include <string>
#include <utility>

#include "backend/linux/landlock/ruleset.h"
#include "base/error.h"
#include "base/text.h"
#include "run/record/receipt_lines.h"
#include "run/unix/limits.h"
#include "validate/program/executable_rules.h"

namespace bawn::linux_ {
namespace {

class ReceiptWriter : public ReceiptLines {
 public:
  ReceiptWriter(const Plan& plan, const RunFilter& filter, const HostFacts& host,
                const NamespaceInodes& callers_namespaces, const init::Readback& readback,
                const std::optional<CgroupSummary>& cgroup)
      : ReceiptLines(plan),
        filter_(filter),
        host_(host),
        callers_namespaces_(callers_namespaces),
        readback_(readback),
        cgroup_(cgroup) {}

 private:
  void add_process() override {
    add_process_tree();
    if (readback_.session_is_own == 1)
      enforced("session", {{"own", true}, {"leader", init_leads() ? "init" : "command"}});
    else
      enforced("session", {{"own", false}});
    enforced("open_files", {{"closed_from", 3}});
    const StdioRoutes& routes = plan().stdio.routes;
    add("stdio", plan().tier == Tier::unconfined ? LayerState::not_requested : LayerState::enforced,
        {{"stdin", to_string(routes[0])},
         {"stdout", to_string(routes[1])},
         {"stderr", to_string(routes[2])}});
    if (readback_.keyring >= 0)
      enforced("keyring", {{"serial", readback_.keyring}});
    else
      enforced("keyring", {{"errno", errno_name(-readback_.keyring)}});
    add_terminal();
  }

  void add_process_tree() {
    Evidence evidence;
    if (const auto* namespaces = plan().part<NamespacesPlan>()) {
      evidence = {{"init", "pid_1"},
                  {"nested_pid_namespace", namespaces->as_pid_1},
                  {"init_capabilities", false},
                  {"init_seccomp", true}};
    } else {
      evidence = {{"init", "subreaper"}, {"pr_get_child_subreaper", readback_.subreaper}};
    }
    evidence.emplace_back("pr_get_dumpable", readback_.init_dumpable);
    evidence.emplace_back("made_by", readback_.cloned_by_clone3 ? "clone3" : "clone");
    enforced("process_tree", std::move(evidence));
  }

  [[nodiscard]] bool init_leads() const {
    return plan().terminal.use == TerminalUse::own && !plan().terminal.led_by_command;
  }

  void add_terminal() {
    switch (plan().terminal.use) {
      case TerminalUse::own:
        return enforced("terminal", {{"given", "own"},
                                     {"devpts", plan().tier == Tier::c ? "run" : "host"},
                                     {"controlling", readback_.terminal == 1}});
      case TerminalUse::the_callers:
        return add("terminal", LayerState::not_requested, {{"given", "callers"}});
      case TerminalUse::none:
        return add("terminal", LayerState::not_requested, {{"given", "none"}});
    }
  }

  void add_confinement() override {
    enforced("no_new_privs", {{"pr_get_no_new_privs", readback_.no_new_privs}});
    enforced("capabilities",
             {{"capget", readback_.capabilities}, {"bounding", readback_.bounding}});
    if (const auto* namespaces = plan().part<NamespacesPlan>())
      add_tier_c(namespaces->user);
    else
      add_tier_b();
  }

  // Tier b has no namespaces: Landlock and the filter are the only layers.
  void add_tier_b() {
    add_landlock();
    add_filter();
    add_executables();
    enforced("unix_sockets", {{"by", "seccomp"}, {"allowed", "socketpair"}});
    add_network("seccomp");
    if (host_.tier_c_reason.empty())
      not_requested("namespaces", "tier b has none");
    else
      absent("namespaces", host_.tier_c_reason);
  }

  void add_tier_c(const RunUser& user) {
    for (std::uint32_t i = 0; i < init::kNamespaceCount; ++i) add_namespace(i);
    add_user(user);
    add_id_ranges(user.maps);
    enforced("root", {{"statfs_flags", readback_.root_flags},
                      {"read_only", (readback_.root_flags & ST_RDONLY) != 0},
                      {"mounts_read_back", readback_.mounts_made}});
    if (readback_.fresh_proc == 1)
      enforced("proc", {{"fresh", true}, {"read_only", true}});
    else
      enforced("proc", {{"fresh", false}, {"errno", errno_name(-readback_.fresh_proc)}});
    add_landlock_behind_mounts();
    add_filter();
    add_executables();
    add_network("namespace");
  }

  // bawn has compared the owners that an idmapped mount shows with those on disk, or the launch
  // would have failed; init has seen the mount's root as the command's own.
  void add_user(const RunUser& user) {
    Evidence evidence = {{"uid", readback_.uid},
                         {"gid", readback_.gid},
                         {"host_uid", user.host_uid},
                         {"host_gid", user.host_gid},
                         {"groups", readback_.groups}};
    if (user.origin == HostIdOrigin::range) {
      evidence.emplace_back("host_ids", "range");
      evidence.emplace_back("idmapped_mounts", readback_.trees_owned);
    } else if (user.origin == HostIdOrigin::workspace_owner) {
      evidence.emplace_back("host_ids", "workspace_owner");
    }
    if (!user.lack.empty()) evidence.emplace_back("reason", user.lack);
    add("user", user.lack.empty() ? LayerState::enforced : LayerState::partial,
        std::move(evidence));
  }

  void add_namespace(std::uint32_t index) {
    const std::uint64_t inside = readback_.namespaces[index];
    const std::uint64_t callers = callers_namespaces_[index];
    const bool shared = inside != 0 && inside == callers;
    Evidence evidence = inside == 0 ? Evidence{{"read_back", false}}
                        : shared    ? Evidence{{"inode", inside}, {"shared", true}}
                                    : Evidence{{"inode", inside}, {"callers_inode", callers}};
    if (index == init::kPidNamespace) evidence.emplace_back("command_is_pid_1", readback_.is_pid_1);
    add(concat("namespace.", kNamespaceNames[index]),
        shared ? LayerState::not_requested : LayerState::enforced, std::move(evidence));
  }

  // If the maps that were read back had differed from the plan, the launch would have failed.
  void add_id_ranges(const std::optional<IdMaps>& maps) {
    if (!maps) return not_requested("id_ranges", "one user and one group exist inside");
    const auto rows = [](const IdMap& map) {
      std::vector<IdMapRow> found;
      for (const IdExtent& extent : map)
        found.push_back({extent.inside, extent.outside, extent.count});
      return found;
    };
    enforced("id_ranges", {{"uid_map", rows(maps->users)}, {"gid_map", rows(maps->groups)}});
  }

  void add_landlock_behind_mounts() {
    if (host_.landlock_abi == 0) {
      add("landlock", LayerState::absent,
          {{"abi", 0}, {"reason", "the mounts alone confine files"}});
      return;
    }
    enforced("landlock", {{"abi", host_.landlock_abi},
                          {"probe", "mknod"},
                          {"errno", errno_name(readback_.landlock_probe)}});
  }

  void add_filter() {
    enforced("system_calls", {{"pr_get_seccomp", readback_.seccomp_mode},
                              {"filter", filter_.name},
                              {"instructions", filter_.code().size()},
                              {"hash", filter_.hash}});
    std::vector<std::string> refused = {"S_ISUID"};
    if (plan().filter()->refuse_set_group_id) refused.emplace_back("S_ISGID");
    enforced("set_id_files", {{"refused", std::move(refused)}});
  }

  // Which files can be executed, which can be mapped as code, and files that have no path.
  void add_executables() {
    if (!plan().executables) {
      for (const auto* layer : {"executables", "executables.mapping", "executables.memory"})
        not_requested(layer, "every program is allowed");
      return;
    }
    add_execution();
    add_mapping();
    enforced("executables.memory", {{"memfd_create", "ENOSYS"}});
  }

  void add_execution() {
    const std::vector<AllowedFile>& files = plan().executables->files;
    const auto directories = static_cast<std::size_t>(std::ranges::count_if(
        files, [](const AllowedFile& one) { return one.file.kind == FileKind::directory; }));
    Evidence evidence = {{"files", files.size() - directories}};
    if (directories != 0) evidence.emplace_back("directories", directories);
    if (!plan().exec_probe.empty() && host_.landlock_abi != 0) {
      evidence.emplace_back("probe", plan().exec_probe);
      evidence.emplace_back("errno", errno_name(readback_.exec_probe));
    }
    const std::string escapes = what_can_be_executed();
    if (escapes.empty()) return enforced("executables", std::move(evidence));
    evidence.emplace_back("escapes", escapes);
    add("executables", LayerState::partial, std::move(evidence));
  }

  // Files that are not on the list and can be executed, as text; "" if there are none.
  [[nodiscard]] std::string what_can_be_executed() const {
    if (host_.landlock_abi == 0)
      return "the kernel has no Landlock: what lies in library directories can be executed";
    for (const AllowedFile& allowed : plan().executables->files) {
      if (is_multi_call(allowed.file))
        return concat(quote(allowed.file.path), " is many programs, and all of them can run");
    }
    return "";
  }

  void add_mapping() {
    const auto* namespaces = plan().part<NamespacesPlan>();
    if (namespaces == nullptr) {
      return absent("executables.mapping",
                    "tier b has no mounts of its own: `ld.so FILE` and dlopen can map every file "
                    "that the run can read");
    }
    add("executables.mapping", LayerState::partial,
        {{"noexec_mounts", readback_.noexec_mounts},
         {"library_directories", namespaces->root.library_directories.size()},
         {"escapes",
          "a loader that is listed runs programs that lie in library directories, and for a "
          "planted "
          "file without code of its own it calls functions of libraries there"}});
  }

  void add_landlock() {
    Evidence evidence = {{"abi", host_.landlock_abi}, {"grants", plan().files().size()}};
    if (readback_.landlock_probe == 0) {
      evidence.emplace_back("root_granted", true);
    } else {
      evidence.emplace_back("probe", "open");
      evidence.emplace_back("errno", errno_name(readback_.landlock_probe));
    }
    enforced("landlock", std::move(evidence));
    for (const LandlockGap& gap : landlock_gaps(host_.landlock_abi)) {
      Evidence lacking = {{"reason", gap.why}};
      if (gap.needs_abi != 0) lacking.emplace_back("needs_abi", gap.needs_abi);
      add(gap.layer, LayerState::absent, std::move(lacking));
    }
  }

  [[nodiscard]] Evidence as_set(ProcessLimit limit) const {
    return rlimit_evidence(plan(), readback_.rlimits, limit);
  }

  [[nodiscard]] std::string_view file_of(CgroupController controller) const {
    return limit_file(cgroup_->version, controller);
  }

  void in_cgroup(Evidence& evidence, CgroupController controller) const {
    evidence.emplace_back("directory", plan().cgroup->directory_of(controller));
    evidence.emplace_back("scope", "tree");
  }

  void in_budget(Evidence& evidence, CgroupController controller) const {
    evidence.emplace_back("directory", plan().cgroup->budget_directory_of(controller));
    evidence.emplace_back("scope", "all_runs");
  }

  // The memory limit of a cgroup, as it was read back.
  [[nodiscard]] Evidence cgroup_memory(const CgroupReadback& in_force) const {
    return {{"file", file_of(CgroupController::memory)},
            {"value", in_force.limits.memory_bytes},
            {"swap_bounded", in_force.swap_bounded}};
  }

  // If the cgroup does not count swap, the run can use that much more.
  void add_memory() {
    if (!cgroup_ || !cgroup_->in_force.limits.memory_bytes)
      return add_limit("memory", "memory_bytes", plan().limits.memory_bytes,
                       as_set(ProcessLimit::memory_data));
    Evidence evidence = cgroup_memory(cgroup_->in_force);
    in_cgroup(evidence, CgroupController::memory);
    evidence.emplace_back("oom_kill", cgroup_->counts.oom_kills);
    if (!cgroup_->in_force.swap_bounded)
      return add("limit.memory", LayerState::partial, std::move(evidence));
    add_limit("memory", "memory_bytes", plan().limits.memory_bytes, std::move(evidence));
  }

  [[nodiscard]] Evidence process_evidence() const {
    Evidence evidence;
    if (!cgroup_ || !cgroup_->in_force.limits.processes) {
      evidence = as_set(ProcessLimit::processes);
      evidence.emplace_back("other_tasks", plan().user_tasks);
      return evidence;
    }
    evidence = {{"file", file_of(CgroupController::pids)},
                {"value", cgroup_->in_force.limits.processes}};
    in_cgroup(evidence, CgroupController::pids);
    evidence.emplace_back("refused", cgroup_->counts.pids_refused);
    return evidence;
  }

  // If a parent ignores SIGCHLD and never waits for a child, the kernel adds the time of that child
  // to no other process.
  [[nodiscard]] Evidence time_evidence() const {
    const bool by_cgroup =
        cgroup_ && cgroup_->counts.cpu_user_usec && cgroup_->counts.cpu_system_usec;
    const bool has_proc = plan().tier != Tier::c || readback_.fresh_proc == 1;
    Evidence evidence = {{"counted", by_cgroup  ? "tree"
                                     : has_proc ? "alive_or_waited_for"
                                                : "waited_for"},
                         {"counted_by", by_cgroup ? "cgroup" : "init"}};
    const Evidence backstop = as_set(ProcessLimit::cpu_seconds);
    evidence.insert(evidence.end(), backstop.begin(), backstop.end());
    return evidence;
  }

  [[nodiscard]] Evidence rate_evidence() const {
    if (!cgroup_ || !cgroup_->in_force.limits.cpu_rate) return {};
    const CpuRate& rate = *cgroup_->in_force.limits.cpu_rate;
    Evidence evidence = {{"file", file_of(CgroupController::cpu)},
                         {"quota_us", rate.quota_us},
                         {"period_us", rate.period_us}};
    in_cgroup(evidence, CgroupController::cpu);
    return evidence;
  }

  void add_budget() {
    const CgroupReadback& budget = *cgroup_->budget;
    if (budget.limits.memory_bytes) {
      Evidence evidence = cgroup_memory(budget);
      in_budget(evidence, CgroupController::memory);
      add_total("limit.total_memory", std::move(evidence), *budget.limits.memory_bytes,
                cgroup_->budget_at_end.memory_bytes,
                budget.swap_bounded ? LayerState::enforced : LayerState::partial);
    }
    if (budget.limits.processes) {
      Evidence evidence = {{"file", file_of(CgroupController::pids)},
                           {"value", budget.limits.processes}};
      in_budget(evidence, CgroupController::pids);
      // pids.max is checked when a process is made, not when one moves into the cgroup.
      evidence.emplace_back("first_process_bound", readback_.cloned_into_cgroup);
      add_total("limit.total_processes", std::move(evidence), *budget.limits.processes,
                cgroup_->budget_at_end.processes, LayerState::enforced);
    }
  }

  // Each run sets the budget of its policy for all runs. A smaller budget set by another run is
  // still a bound.
  void add_total(std::string layer, Evidence evidence, std::uint64_t set, const Limit& now,
                 LayerState state) {
    evidence.emplace_back("at_end", now);
    evidence.emplace_back("changed", now != set);
    add(std::move(layer), now && *now <= set ? state : LayerState::absent, std::move(evidence));
  }

  void add_cgroup() {
    if (cgroup_) {
      enforced("cgroup", {{"version", cgroup_->version == CgroupVersion::v2 ? 2 : 1},
                          {"cloned_into", readback_.cloned_into_cgroup},
                          {"alone_in", readback_.cgroups_entered}});
    } else if (!plan().no_cgroup.empty()) {
      absent("cgroup", plan().no_cgroup);
    } else {
      not_requested("cgroup", "no limit needs one");
    }
  }

  void add_limits() override {
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
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, {{"tmpfs_bytes", limits.tmp_bytes}});
    add_cgroup();
    add_limit("core", "core_bytes", 0, as_set(ProcessLimit::core_bytes));
  }

  const RunFilter& filter_;
  const HostFacts& host_;
  const NamespaceInodes& callers_namespaces_;
  const init::Readback& readback_;
  const std::optional<CgroupSummary>& cgroup_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const RunFilter& filter,
                                      const HostFacts& host,
                                      const NamespaceInodes& callers_namespaces,
                                      const init::Readback& readback,
                                      const std::optional<CgroupSummary>& cgroup) {
  return ReceiptWriter(plan, filter, host, callers_namespaces, readback, cgroup).write();
}

}  // namespace bawn::linux_
