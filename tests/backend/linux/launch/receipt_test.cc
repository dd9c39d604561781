// Every line of the receipt, from values. This includes states into which a test cannot bring a
// kernel.

#include "backend/linux/launch/receipt.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "backend/linux/launch/conclude.h"
#include "base/error.h"
#include "base/text.h"
#include "outcome/evidence_text.h"
#include "plan/plan_parts.h"

namespace bawn::linux_ {
namespace {

using enum LayerState;

// A run in which everything was read back as planned.
class Receipt : public testing::Test {
 protected:
  explicit Receipt(Tier tier = Tier::c) {
    plan.tier = tier;
    plan.network.reach = NetworkReach::everything;
    if (tier == Tier::c) plan.by_boundary = NamespacesPlan{};
    if (tier == Tier::b) plan.by_boundary = LandlockPlan{};
    host.landlock_abi = 6;
    filter = {.name = "default", .hash = "sha256:1"};
    filter.own.resize(7);
    readback.no_new_privs = 1;
    readback.seccomp_mode = 2;
    readback.subreaper = 1;
    readback.session_is_own = 1;
    readback.keyring = 77;
    readback.landlock_probe = EACCES;
    readback.fresh_proc = 1;
    for (std::uint32_t i = 0; i < init::kNamespaceCount; ++i) {
      callers_namespaces[i] = 100 + i;
      readback.namespaces[i] = 200 + i;
    }
  }

  [[nodiscard]] std::map<std::string, Enforcement> lines() const {
    std::map<std::string, Enforcement> found;
    for (Enforcement& line :
         make_receipt(plan, filter, host, callers_namespaces, readback, cgroup)) {
      EXPECT_FALSE(found.contains(line.layer)) << "twice: " << line.layer;
      for (const EvidenceField& field : line.evidence)
        EXPECT_TRUE(field_text(line.layer, field))
            << "no words: " << line.layer << " " << field.name;
      found[line.layer] = std::move(line);
    }
    return found;
  }
  [[nodiscard]] bool has(const std::string& layer) const { return lines().contains(layer); }
  [[nodiscard]] Enforcement line(const std::string& layer) const {
    const auto all = lines();
    EXPECT_TRUE(all.contains(layer)) << layer;
    return all.contains(layer) ? all.at(layer) : Enforcement{};
  }
  void expect(const std::string& layer, LayerState state, const Evidence& evidence) const {
    const Enforcement found = line(layer);
    EXPECT_EQ(found, (Enforcement{layer, state, evidence})) << evidence_text(layer, found.evidence);
  }

  NamespacesPlan& namespaces() { return test::part_of<NamespacesPlan>(plan); }

  void plan_limit(ProcessLimit limit, std::uint64_t told) {
    readback.rlimits[plan.process_limits.size()] = told;
    plan.process_limits.push_back({limit, told});
  }

  Plan plan;
  RunFilter filter;
  HostFacts host;
  NamespaceInodes callers_namespaces{};
  init::Readback readback{};
  std::optional<CgroupSummary> cgroup;
};

class TierBReceipt : public Receipt {
 protected:
  TierBReceipt() : Receipt(Tier::b) {}
};

class UnconfinedReceipt : public Receipt {
 protected:
  UnconfinedReceipt() : Receipt(Tier::unconfined) {}
};

TEST_F(Receipt, TellsWhoLooksAfterTheTree) {
  readback.init_dumpable = 2;
  expect("process_tree", enforced,
         {{"init", "pid_1"},
          {"nested_pid_namespace", false},
          {"init_capabilities", false},
          {"init_seccomp", true},
          {"pr_get_dumpable", 2},
          {"made_by", "clone"}});
  namespaces().as_pid_1 = true;
  readback.init_dumpable = 0;
  expect("process_tree", enforced,
         {{"init", "pid_1"},
          {"nested_pid_namespace", true},
          {"init_capabilities", false},
          {"init_seccomp", true},
          {"pr_get_dumpable", 0},
          {"made_by", "clone"}});
}

class ListedReceipt : public Receipt {
 protected:
  explicit ListedReceipt(Tier tier = Tier::c) : Receipt(tier) {
    plan.executables.emplace();
    plan.executables->files = {{.file = {.path = "/usr/bin/git"}}, {.file = {.path = "/ld.so"}}};
    plan.exec_probe = "/bin/sh";
    readback.exec_probe = EACCES;
    readback.noexec_mounts = 9;
  }
};

class TierBListedReceipt : public ListedReceipt {
 protected:
  TierBListedReceipt() : ListedReceipt(Tier::b) {}
};

TEST_F(Receipt, TellsThatEveryProgramIsAllowed) {
  for (const auto* layer : {"executables", "executables.mapping", "executables.memory"})
    expect(layer, not_requested, {{"reason", "every program is allowed"}});
}

TEST_F(ListedReceipt, TellsWhatCanBeExecutedAndMapped) {
  namespaces().root.library_directories = {"/usr/lib", "/usr/lib64"};
  expect("executables", enforced, {{"files", 2}, {"probe", "/bin/sh"}, {"errno", "EACCES"}});
  expect("executables.mapping", partial,
         {{"noexec_mounts", 9},
          {"library_directories", 2},
          {"escapes",
           "a loader that is listed runs programs that lie in library directories, and for a "
           "planted file without code of its own it calls functions of libraries there"}});
  expect("executables.memory", enforced, {{"memfd_create", "ENOSYS"}});
  EXPECT_EQ(evidence_text("executables", line("executables").evidence),
            "2 files can be executed; a check of '/bin/sh' gives EACCES");
}

TEST_F(ListedReceipt, CountsDirectoriesApart) {
  plan.executables->files.push_back(
      {.file = {.path = "/usr/lib/git-core", .kind = FileKind::directory}});
  EXPECT_EQ(evidence_text("executables", line("executables").evidence),
            "2 files can be executed, and those in 1 directory; a check of '/bin/sh' gives EACCES");
}

TEST_F(ListedReceipt, SaysThatAnOlderKernelCannotCheck) {
  readback.exec_probe = EINVAL;
  EXPECT_EQ(line("executables").state, enforced);
  EXPECT_EQ(evidence_text("executables", line("executables").evidence),
            "2 files can be executed; a check of '/bin/sh' needs a newer kernel");
}

TEST_F(ListedReceipt, IsPartialWithoutLandlock) {
  host.landlock_abi = 0;
  expect("executables", partial,
         {{"files", 2},
          {"escapes",
           "the kernel has no Landlock: what lies in library directories can be executed"}});
}

// The kernel sees one file, whatever name it is started by.
TEST_F(ListedReceipt, IsPartialForAFileThatIsManyPrograms) {
  plan.executables->files.push_back({.file = {.path = "/bin/busybox"}});
  EXPECT_EQ(line("executables").state, partial);
  EXPECT_EQ(line("executables").evidence.back(),
            EvidenceField("escapes", "'/bin/busybox' is many programs, and all of them can run"));
}

TEST_F(TierBListedReceipt, SaysThatFilesCanBeMapped) {
  EXPECT_EQ(line("executables").state, enforced);
  EXPECT_EQ(line("executables.mapping").state, absent);
  EXPECT_EQ(line("executables.memory").state, enforced);
}

TEST_F(Receipt, TellsWhichCallMadeTheCommand) {
  readback.cloned_by_clone3 = true;
  EXPECT_EQ(line("process_tree").evidence.back(), EvidenceField("made_by", "clone3"));
  readback.cloned_by_clone3 = false;
  EXPECT_EQ(line("process_tree").evidence.back(), EvidenceField("made_by", "clone"));
}

TEST_F(TierBReceipt, TellsWhoLooksAfterTheTree) {
  readback.cloned_by_clone3 = true;
  expect("process_tree", enforced,
         {{"init", "subreaper"},
          {"pr_get_child_subreaper", 1},
          {"pr_get_dumpable", 0},
          {"made_by", "clone3"}});
}

TEST_F(Receipt, TellsWhoLeadsTheSession) {
  expect("session", enforced, {{"own", true}, {"leader", "command"}});
  plan.terminal = {.use = TerminalUse::own, .led_by_command = true};
  expect("session", enforced, {{"own", true}, {"leader", "command"}});
  plan.terminal.led_by_command = false;
  expect("session", enforced, {{"own", true}, {"leader", "init"}});
  readback.session_is_own = 0;
  expect("session", enforced, {{"own", false}});
}

TEST_F(Receipt, TellsFromWhereOnFilesWereClosed) {
  expect("open_files", enforced, {{"closed_from", 3}});
}

TEST_F(Receipt, TellsOfAKeyringOrWhyThereIsNone) {
  expect("keyring", enforced, {{"serial", 77}});
  readback.keyring = -ENOSYS;
  expect("keyring", enforced, {{"errno", "ENOSYS"}});
}

TEST_F(Receipt, TellsWhoseTheTerminalIs) {
  expect("terminal", not_requested, {{"given", "none"}});
  plan.terminal.use = TerminalUse::own;
  readback.terminal = 1;
  expect("terminal", enforced, {{"given", "own"}, {"devpts", "run"}, {"controlling", true}});
  readback.terminal = 0;
  expect("terminal", enforced, {{"given", "own"}, {"devpts", "run"}, {"controlling", false}});
}

TEST_F(TierBReceipt, TellsOfATerminalThatIsAPtyOfTheHosts) {
  plan.terminal.use = TerminalUse::own;
  readback.terminal = 1;
  expect("terminal", enforced, {{"given", "own"}, {"devpts", "host"}, {"controlling", true}});
}

TEST_F(TierBReceipt, TellsWhichWayStdioTook) {
  plan.stdio.routes = {StdioRoute::relayed, StdioRoute::reopened, StdioRoute::with_stdout};
  expect("stdio", enforced,
         {{"stdin", "relayed"}, {"stdout", "reopened"}, {"stderr", "with_stdout"}});
}

// A route without words would be shown by its name only. lines() looks at the words.
TEST_F(Receipt, HasWordsForEveryRouteOfStdio) {
  for (int route = 0; route <= static_cast<int>(StdioRoute::empty); ++route) {
    plan.stdio.routes.fill(static_cast<StdioRoute>(route));
    EXPECT_EQ(line("stdio").evidence.size(), 3U);
  }
}

TEST_F(UnconfinedReceipt, ClaimsNothingThatASandboxGives) {
  plan.terminal.use = TerminalUse::the_callers;
  expect("terminal", not_requested, {{"given", "callers"}});
  expect("sandbox", not_requested, {{"reason", "the policy asks for a run without a sandbox"}});
  EXPECT_EQ(line("stdio").state, not_requested);
  for (const char* layer : {"no_new_privs", "capabilities", "landlock", "system_calls", "network",
                            "root", "user", "namespaces", "namespace.user"})
    EXPECT_FALSE(has(layer)) << layer;
  EXPECT_TRUE(has("process_tree"));
  EXPECT_TRUE(has("limit.core"));
}

TEST_F(Receipt, TellsWhatIsLeftOfPrivileges) {
  expect("no_new_privs", enforced, {{"pr_get_no_new_privs", 1}});
  expect("capabilities", enforced, {{"capget", 0}, {"bounding", 0}});
  readback.bounding = 6;
  expect("capabilities", enforced, {{"capget", 0}, {"bounding", 6}});
  readback.capabilities = 5;
  expect("capabilities", enforced, {{"capget", 5}, {"bounding", 6}});
}

TEST_F(Receipt, NamesEachNamespaceWithBothNumbers) {
  for (std::uint32_t i = 0; i < init::kNamespaceCount; ++i) {
    Evidence both = {{"inode", 200 + i}, {"callers_inode", 100 + i}};
    if (i == init::kPidNamespace) both.emplace_back("command_is_pid_1", false);
    expect(concat("namespace.", kNamespaceNames[i]), enforced, both);
  }
  readback.is_pid_1 = true;
  expect("namespace.pid", enforced,
         {{"inode", 202}, {"callers_inode", 102}, {"command_is_pid_1", true}});
  expect("namespace.mnt", enforced, {{"inode", 201}, {"callers_inode", 101}});
}

TEST_F(Receipt, ANamespaceThatIsTheCallersWasNotAskedFor) {
  readback.namespaces[init::kNetworkNamespace] = callers_namespaces[init::kNetworkNamespace];
  expect("namespace.net", not_requested, {{"inode", 103}, {"shared", true}});
}

TEST_F(Receipt, ANamespaceThatCannotBeReadBackIsToldAsSuch) {
  readback.namespaces[init::kPidNamespace] = 0;
  expect("namespace.pid", enforced, {{"read_back", false}, {"command_is_pid_1", false}});
  readback.is_pid_1 = true;
  expect("namespace.pid", enforced, {{"read_back", false}, {"command_is_pid_1", true}});
  callers_namespaces[init::kPidNamespace] = 0;
  EXPECT_EQ(line("namespace.pid").state, enforced) << "two unknown numbers are not the same one";
}

TEST_F(Receipt, TellsWhoTheCommandIs) {
  readback.uid = 1;
  readback.gid = 2;
  namespaces().user.host_uid = 3;
  namespaces().user.host_gid = 4;
  for (const int groups : {0, 1, 2}) {
    readback.groups = groups;
    expect("user", enforced,
           {{"uid", 1}, {"gid", 2}, {"host_uid", 3}, {"host_gid", 4}, {"groups", groups}});
  }
}

TEST_F(Receipt, TellsWhereTheIdsOfRootsRunComeFrom) {
  readback.trees_owned = 3;
  namespaces().user.host_uid = namespaces().user.host_gid = 7;
  namespaces().user.origin = HostIdOrigin::range;
  const Evidence ids = {{"uid", 0}, {"gid", 0}, {"host_uid", 7}, {"host_gid", 7}, {"groups", 0}};
  const auto with = [&](Evidence more) {
    more.insert(more.begin(), ids.begin(), ids.end());
    return more;
  };
  expect("user", enforced, with({{"host_ids", "range"}, {"idmapped_mounts", 3}}));
  namespaces().user.origin = HostIdOrigin::workspace_owner;
  namespaces().user.lack = "an overlay";
  expect("user", LayerState::partial,
         with({{"host_ids", "workspace_owner"}, {"reason", "an overlay"}}));
  namespaces().user.origin = HostIdOrigin::caller;
  expect("user", LayerState::partial, with({{"reason", "an overlay"}}));
}

TEST_F(Receipt, ListsTheRangesOfIds) {
  expect("id_ranges", not_requested, {{"reason", "one user and one group exist inside"}});
  namespaces().user.maps = IdMaps{.users = {{0, 100, 5}, {5, 5, 1}}, .groups = {{0, 200, 7}}};
  expect("id_ranges", enforced,
         {{"uid_map", std::vector<IdMapRow>{{0, 100, 5}, {5, 5, 1}}},
          {"gid_map", std::vector<IdMapRow>{{0, 200, 7}}}});
}

TEST_F(Receipt, TellsTheFlagsOfTheRootAndHowManyMountsWereReadBack) {
  readback.root_flags = 4103;
  readback.mounts_made = 21;
  expect("root", enforced, {{"statfs_flags", 4103}, {"read_only", true}, {"mounts_read_back", 21}});
  readback.root_flags = 4102;
  expect("root", enforced,
         {{"statfs_flags", 4102}, {"read_only", false}, {"mounts_read_back", 21}});
}

TEST_F(Receipt, TellsOfAHostThatGivesNoNewProc) {
  expect("proc", enforced, {{"fresh", true}, {"read_only", true}});
  readback.fresh_proc = -EPERM;
  expect("proc", enforced, {{"fresh", false}, {"errno", "EPERM"}});
}

// Behind the mounts Landlock is a second layer; the receipt reports if it is missing.
TEST_F(Receipt, AKernelWithoutLandlockIsToldAsSuch) {
  expect("landlock", enforced, {{"abi", 6}, {"probe", "mknod"}, {"errno", "EACCES"}});
  host.landlock_abi = 0;
  expect("landlock", absent, {{"abi", 0}, {"reason", "the mounts alone confine files"}});
}

TEST_F(Receipt, NamesTheFilterWithItsHash) {
  expect("system_calls", enforced,
         {{"pr_get_seccomp", 2}, {"filter", "default"}, {"instructions", 7}, {"hash", "sha256:1"}});
}

TEST_F(Receipt, TellsWhichSetIdBitsAreRefused) {
  expect("set_id_files", enforced, {{"refused", std::vector<std::string>{"S_ISUID"}}});
  namespaces().filter.refuse_set_group_id = true;
  expect("set_id_files", enforced, {{"refused", std::vector<std::string>{"S_ISUID", "S_ISGID"}}});
}

TEST_F(Receipt, TellsWhetherTheNetworkIsIsolated) {
  expect("network", not_requested, {{"isolated", false}});
  plan.network.reach = NetworkReach::own_loopback;
  expect("network", enforced,
         {{"isolated", true}, {"by", "namespace"}, {"reachable", "own_loopback"}});
}

TEST_F(TierBReceipt, TellsWhetherTheNetworkIsIsolated) {
  expect("network", not_requested, {{"isolated", false}});
  plan.network.reach = NetworkReach::nothing;
  expect("network", enforced, {{"isolated", true}, {"by", "seccomp"}, {"reachable", "nothing"}});
  expect("unix_sockets", enforced, {{"by", "seccomp"}, {"allowed", "socketpair"}});
  EXPECT_EQ(line("system_calls").state, enforced);
}

TEST_F(TierBReceipt, TellsWhatLandlockAnsweredAndHowManyGrantsThereAre) {
  test::part_of<LandlockPlan>(plan).files.resize(3);
  expect("landlock", enforced, {{"abi", 6}, {"grants", 3}, {"probe", "open"}, {"errno", "EACCES"}});
  readback.landlock_probe = 0;
  expect("landlock", enforced, {{"abi", 6}, {"grants", 3}, {"root_granted", true}});
}

// Each Landlock ABI closes some gaps. Gaps that no ABI closes are always reported.
TEST_F(TierBReceipt, AdmitsTheGapsOfItsLandlock) {
  struct Gap {
    const char* layer;
    int closed_by;
  };
  for (const Gap& gap : {Gap{"landlock.truncate", 3}, Gap{"landlock.device_ioctl", 5},
                         Gap{"landlock.signals", 6}, Gap{"landlock.abstract_sockets", 6}}) {
    host.landlock_abi = gap.closed_by;
    EXPECT_FALSE(has(gap.layer)) << gap.layer;
    host.landlock_abi = gap.closed_by - 1;
    const Enforcement found = line(gap.layer);
    EXPECT_EQ(found.state, absent);
    ASSERT_EQ(found.evidence.size(), 2U);
    EXPECT_EQ(found.evidence[0].name, "reason");
    EXPECT_EQ(found.evidence[1], EvidenceField("needs_abi", gap.closed_by)) << gap.layer;
  }
  host.landlock_abi = 99;
  for (const char* layer : {"landlock.metadata", "landlock.names", "landlock.process_list"}) {
    EXPECT_EQ(line(layer).state, absent) << layer;
    EXPECT_EQ(line(layer).evidence.size(), 1U) << "no ABI closes it: " << layer;
  }
}

TEST_F(TierBReceipt, TellsWhyThereAreNoNamespaces) {
  expect("namespaces", not_requested, {{"reason", "tier b has none"}});
  host.tier_c_reason = "forbidden here";
  expect("namespaces", absent, {{"reason", "forbidden here"}});
}

TEST_F(Receipt, TellsEachRlimitAsTheKernelDid) {
  plan.limits = {.open_files = 20, .file_bytes = 30};
  plan_limit(ProcessLimit::core_bytes, 1);
  plan_limit(ProcessLimit::open_files, 19);
  plan_limit(ProcessLimit::file_bytes, 29);
  expect("limit.core", enforced, {{"rlimit", "RLIMIT_CORE"}, {"value", 1}});
  expect("limit.open_files", enforced, {{"rlimit", "RLIMIT_NOFILE"}, {"value", 19}});
  expect("limit.file_size", enforced, {{"rlimit", "RLIMIT_FSIZE"}, {"value", 29}});
  plan.limits.tmp_bytes = 50;
  expect("limit.tmp", enforced, {{"tmpfs_bytes", 50}});
}

TEST_F(Receipt, TellsWhoCountsTheTime) {
  plan.limits.cpu_time_ms = 1000;
  plan_limit(ProcessLimit::cpu_seconds, 3);
  const auto expect_counted = [&](const char* what, const char* by) {
    expect("limit.cpu_time", enforced,
           {{"counted", what}, {"counted_by", by}, {"rlimit", "RLIMIT_CPU"}, {"value", 3}});
  };
  expect_counted("alive_or_waited_for", "init");
  readback.fresh_proc = -EPERM;
  expect_counted("waited_for", "init");
  plan.tier = Tier::b;
  expect_counted("alive_or_waited_for", "init");  // the host's /proc is there
  cgroup.emplace();
  cgroup->counts.cpu_user_usec = 1;
  expect_counted("alive_or_waited_for", "init");  // half of it is not all of it
  cgroup->counts.cpu_system_usec = 1;
  expect_counted("tree", "cgroup");
}

// A run's cgroup with limits that were read back.
class CgroupReceipt : public Receipt {
 protected:
  CgroupReceipt() {
    plan.limits = {.memory_bytes = 1000, .processes = 5, .cpu_percent = 50};
    plan.cgroup.emplace();
    plan.cgroup->name = "run";
    plan.cgroup->place.parents = {
        {"/cg", {CgroupController::memory, CgroupController::pids, CgroupController::cpu}}};
    plan.user_tasks = 9;
    cgroup.emplace();
    cgroup->in_force.limits = {
        .memory_bytes = 999, .processes = 6, .cpu_rate = CpuRate{50'000, 100'000}};
  }

  void give_budget() {
    plan.limits.total_memory_bytes = 2000;
    plan.limits.total_processes = 20;
    plan.cgroup->budget = CgroupBudget{"all", {.memory_bytes = 2000, .processes = 20}};
    cgroup->budget.emplace();
    cgroup->budget->limits = {.memory_bytes = 2000, .processes = 20};
    cgroup->budget_at_end = {.memory_bytes = 2000, .processes = 20};
  }
};

TEST_F(CgroupReceipt, TellsTheMemoryOfTheWholeTree) {
  const auto expect_memory = [&](LayerState state, const char* file, bool swap,
                                 const Limit& kills) {
    expect("limit.memory", state,
           {{"file", file},
            {"value", 999},
            {"swap_bounded", swap},
            {"directory", "/cg/run"},
            {"scope", "tree"},
            {"oom_kill", kills}});
  };
  expect_memory(partial, "memory.max", false, {});
  cgroup->in_force.swap_bounded = true;
  expect_memory(enforced, "memory.max", true, {});
  cgroup->counts.oom_kills = 2;
  expect_memory(enforced, "memory.max", true, 2);
  cgroup->version = CgroupVersion::v1;
  expect_memory(enforced, "memory.limit_in_bytes", true, 2);
}

TEST_F(CgroupReceipt, WithoutTheControllerTellsTheRlimit) {
  cgroup->in_force.limits = {};
  plan_limit(ProcessLimit::memory_data, 998);
  plan_limit(ProcessLimit::processes, 15);
  for (const bool has_cgroup : {true, false}) {
    if (!has_cgroup) cgroup.reset();
    expect("limit.memory", enforced, {{"rlimit", "RLIMIT_DATA"}, {"value", 998}});
    expect("limit.processes", enforced,
           {{"rlimit", "RLIMIT_NPROC"}, {"value", 15}, {"other_tasks", 9}});
    expect("limit.cpu_percent", enforced, {});
  }
}

TEST_F(CgroupReceipt, TellsTheProcessesAndTheRate) {
  for (const Limit& refused : {Limit{}, Limit{4}}) {
    cgroup->counts.pids_refused = refused;
    expect("limit.processes", enforced,
           {{"file", "pids.max"},
            {"value", 6},
            {"directory", "/cg/run"},
            {"scope", "tree"},
            {"refused", refused}});
  }
  expect("limit.cpu_percent", enforced,
         {{"file", "cpu.max"},
          {"quota_us", 50'000},
          {"period_us", 100'000},
          {"directory", "/cg/run"},
          {"scope", "tree"}});
}

TEST_F(CgroupReceipt, TellsHowTheCommandCameIntoIt) {
  readback.cgroups_entered = 1;
  expect("cgroup", enforced, {{"version", 2}, {"cloned_into", false}, {"alone_in", 1}});
  readback.cloned_into_cgroup = true;
  expect("cgroup", enforced, {{"version", 2}, {"cloned_into", true}, {"alone_in", 1}});
  cgroup->version = CgroupVersion::v1;
  readback.cgroups_entered = 3;
  expect("cgroup", enforced, {{"version", 1}, {"cloned_into", true}, {"alone_in", 3}});
}

TEST_F(Receipt, TellsWhyThereIsNoCgroup) {
  expect("cgroup", not_requested, {{"reason", "no limit needs one"}});
  plan.no_cgroup = "not here";
  expect("cgroup", absent, {{"reason", "not here"}});
}

TEST_F(CgroupReceipt, TellsTheBudgetOfAllRunsOnlyIfThereIsOne) {
  EXPECT_FALSE(has("limit.total_memory"));
  give_budget();
  for (const bool swap : {true, false}) {
    cgroup->budget->swap_bounded = swap;
    expect("limit.total_memory", swap ? enforced : partial,
           {{"file", "memory.max"},
            {"value", 2000},
            {"swap_bounded", swap},
            {"directory", "/cg/all"},
            {"scope", "all_runs"},
            {"at_end", 2000},
            {"changed", false}});
  }
  for (const bool cloned : {true, false}) {
    readback.cloned_into_cgroup = cloned;
    expect("limit.total_processes", enforced,
           {{"file", "pids.max"},
            {"value", 20},
            {"directory", "/cg/all"},
            {"scope", "all_runs"},
            {"first_process_bound", cloned},
            {"at_end", 20},
            {"changed", false}});
  }
  cgroup->budget->limits.processes = {};
  EXPECT_FALSE(has("limit.total_processes"));
  cgroup->budget->limits.memory_bytes = {};
  EXPECT_FALSE(has("limit.total_memory"));
}

// Every run that shares the cgroup sets the budget for all. A smaller one still bounds this run. A
// larger one, or none, does not.
TEST_F(CgroupReceipt, TellsABudgetThatWasChangedMeanwhile) {
  give_budget();
  cgroup->budget->swap_bounded = true;
  const auto expect_at_end = [&](const Limit& now, LayerState state) {
    cgroup->budget_at_end.memory_bytes = now;
    expect("limit.total_memory", state,
           {{"file", "memory.max"},
            {"value", 2000},
            {"swap_bounded", true},
            {"directory", "/cg/all"},
            {"scope", "all_runs"},
            {"at_end", now},
            {"changed", true}});
  };
  expect_at_end(1999, enforced);
  expect_at_end(2001, absent);
  expect_at_end({}, absent);
}

// A process in an uninterruptible wait outlives SIGKILL. The receipt must not claim an end that was
// not observed.
class WhatIsLeft : public testing::Test {
 protected:
  WhatIsLeft() {
    plan.tier = Tier::b;
    plan.by_boundary = LandlockPlan{};
    plan.private_name = "bawn-x";
    supervised.start.emplace();
    supervised.wait_status = 0;
    supervised.run.ending = Ending::exited;
    supervised.run.tree_gone = true;
    supervised.init_gone = true;
  }

  [[nodiscard]] Enforcement line(const std::string& layer) const {
    for (Enforcement& found :
         conclude(supervised, plan, RunFilter{}, HostFacts{}, {}).enforcement) {
      if (found.layer == layer) return found;
    }
    return {};
  }

  Plan plan;
  Supervised supervised;
};

TEST_F(WhatIsLeft, IsNothingOfARunThatEndedAsItShould) {
  EXPECT_EQ(line("process_tree").state, enforced);
  EXPECT_EQ(line("private_directory"), Enforcement{}) << "it is gone, and there is nothing to tell";
}

TEST_F(WhatIsLeft, OfATreeThatDoesNotEndIsAdmitted) {
  supervised.run.tree_gone = false;
  EXPECT_EQ(line("process_tree"),
            (Enforcement{"process_tree",
                         absent,
                         {{"reason",
                           "some processes of the run were still alive when the outcome was due; "
                           "init keeps killing them"}}}));
}

TEST_F(WhatIsLeft, OfADirectoryThatIsNotRemovedYetIsAdmitted) {
  supervised.init_gone = false;
  EXPECT_EQ(line("process_tree").state, enforced);
  EXPECT_EQ(
      line("private_directory"),
      (Enforcement{
          "private_directory", absent, {{"reason", "not removed yet when the outcome was due"}}}));
  plan.private_name = "";
  EXPECT_EQ(line("private_directory"), Enforcement{}) << "there is none to speak of";
}

}  // namespace
}  // namespace bawn::linux_
