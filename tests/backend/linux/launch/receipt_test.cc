// Every line of the receipt, from values. This includes states into which a test cannot bring a
// kernel.

#include "backend/linux/launch/receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "backend/linux/launch/conclude.h"
#include "base/error.h"
#include "base/text.h"

namespace bawn::linux_ {
namespace {

using testing::HasSubstr;
using testing::Not;
using enum LayerState;

// A run in which everything was read back as planned.
class Receipt : public testing::Test {
 protected:
  explicit Receipt(Tier tier = Tier::c) {
    plan.tier = tier;
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
      host.namespaces[i] = 100 + i;
      readback.namespaces[i] = 200 + i;
    }
  }

  [[nodiscard]] std::map<std::string, Enforcement> lines() const {
    std::map<std::string, Enforcement> found;
    for (Enforcement& line : make_receipt(plan, filter, host, readback, cgroup)) {
      EXPECT_FALSE(found.contains(line.layer)) << "twice: " << line.layer;
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
  void expect(const std::string& layer, LayerState state, const std::string& evidence) const {
    EXPECT_EQ(line(layer), (Enforcement{layer, state, evidence}));
  }

  void plan_limit(ProcessLimit limit, std::uint64_t told) {
    readback.rlimits[plan.process_limits.size()] = told;
    plan.process_limits.push_back({limit, told});
  }

  Plan plan;
  RunFilter filter;
  HostFacts host;
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
  readback.init_dumpable = 0;
  EXPECT_EQ(line("process_tree").state, enforced);
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("pid 1 of the run's pid namespace"));
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("PR_GET_DUMPABLE=0"));
  plan.as_pid_1 = true;
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("a pid namespace around the command's own"));
}

TEST_F(Receipt, TellsWhichCallMadeTheCommand) {
  readback.cloned_by_clone3 = true;
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("clone3 made the command's process"));
  readback.cloned_by_clone3 = false;
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("; clone made the command's process"));
}

TEST_F(TierBReceipt, TellsWhoLooksAfterTheTree) {
  EXPECT_EQ(line("process_tree").state, enforced);
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("PR_GET_CHILD_SUBREAPER=1"));
  EXPECT_THAT(line("process_tree").evidence, HasSubstr("PR_GET_DUMPABLE=0"));
}

TEST_F(Receipt, TellsWhoLeadsTheSession) {
  expect("session", enforced, "setsid: session id is the command's pid");
  plan.terminal = {.use = TerminalUse::own, .led_by_command = true};
  expect("session", enforced, "setsid: session id is the command's pid");
  plan.terminal.led_by_command = false;
  EXPECT_THAT(line("session").evidence, HasSubstr("the command has a process group of its own"));
  readback.session_is_own = 0;
  EXPECT_EQ(line("session").evidence, "not its own");
}

TEST_F(Receipt, TellsOfAKeyringOrWhyThereIsNone) {
  expect("keyring", enforced, "session keyring 77");
  readback.keyring = -ENOSYS;
  expect("keyring", enforced, concat("keyctl is refused: ", errno_text(ENOSYS)));
}

TEST_F(Receipt, TellsWhoseTheTerminalIs) {
  expect("terminal", not_requested, "the command is not given one");
  plan.terminal.use = TerminalUse::own;
  readback.terminal = 1;
  EXPECT_EQ(line("terminal").state, enforced);
  EXPECT_THAT(line("terminal").evidence, HasSubstr("TIOCGSID agrees"));
  readback.terminal = 0;
  EXPECT_THAT(line("terminal").evidence, HasSubstr("controlling terminal: not"));
}

TEST_F(TierBReceipt, TellsOfATerminalThatIsAPtyOfTheHosts) {
  plan.terminal.use = TerminalUse::own;
  readback.terminal = 1;
  expect("terminal", enforced,
         "a pty of the run's own; it is its session's controlling terminal: TIOCGSID agrees");
}

TEST_F(TierBReceipt, TellsWhichWayStdioTook) {
  plan.stdio = {StdioRoute::relayed, StdioRoute::reopened, StdioRoute::with_stdout};
  expect("stdio", enforced,
         "stdin: a pipe of bawn's own, not seekable; stdout: opened anew; stderr: the same pipe as "
         "stdout");
}

TEST_F(UnconfinedReceipt, ClaimsNothingThatASandboxGives) {
  plan.terminal.use = TerminalUse::the_callers;
  expect("terminal", not_requested, "the command has the caller's own terminal");
  EXPECT_EQ(line("sandbox").state, not_requested);
  for (const char* layer : {"no_new_privs", "capabilities", "landlock", "system_calls", "network",
                            "root", "user", "namespaces", "namespace.user"})
    EXPECT_FALSE(has(layer)) << layer;
  EXPECT_TRUE(has("process_tree"));
  EXPECT_TRUE(has("limit.core"));
}

TEST_F(Receipt, TellsWhatIsLeftOfPrivileges) {
  expect("no_new_privs", enforced, "PR_GET_NO_NEW_PRIVS=1");
  expect("capabilities", enforced, "capget: all sets empty; bounding set empty");
  readback.bounding = 1;
  EXPECT_THAT(line("capabilities").evidence, HasSubstr("bounding set kept"));
}

TEST_F(Receipt, NamesEachNamespaceWithBothNumbers) {
  for (const std::string_view name : kNamespaceNames)
    EXPECT_EQ(line(concat("namespace.", name)).state, enforced) << name;
  expect("namespace.pid", enforced, "pid:[202], the caller's is 102");
  readback.is_pid_1 = true;
  expect("namespace.pid", enforced,
         "pid:[202], the caller's is 102; getpid: the command is its process 1");
  expect("namespace.mnt", enforced, "mnt:[201], the caller's is 101");
}

TEST_F(Receipt, ANamespaceThatIsTheCallersWasNotAskedFor) {
  readback.namespaces[init::kNetworkNamespace] = host.namespaces[init::kNetworkNamespace];
  expect("namespace.net", not_requested, "net:[103] is the caller's");
}

TEST_F(Receipt, ANamespaceThatCannotBeReadBackIsToldAsSuch) {
  readback.namespaces[init::kPidNamespace] = 0;
  expect("namespace.pid", enforced, "clone made it; there is no /proc to read it back from");
  readback.is_pid_1 = true;
  EXPECT_THAT(line("namespace.pid").evidence, HasSubstr("the command is its process 1"));
}

TEST_F(Receipt, TellsWhoTheCommandIs) {
  readback.uid = 1;
  readback.gid = 2;
  plan.user.host_uid = 3;
  plan.user.host_gid = 4;
  expect("user", enforced, "uid 1 and gid 2 inside are 3 and 4 on the host, in no other group");
  readback.groups = 1;
  EXPECT_THAT(line("user").evidence, HasSubstr("in 1 more group of the caller"));
  readback.groups = 2;
  EXPECT_THAT(line("user").evidence, HasSubstr("in 2 more groups of the caller"));
}

TEST_F(Receipt, ListsTheRangesOfIds) {
  EXPECT_EQ(line("id_ranges").state, not_requested);
  plan.user.maps.emplace();
  EXPECT_EQ(line("id_ranges").state, enforced);
  EXPECT_THAT(line("id_ranges").evidence, HasSubstr("uid_map, read back: "));
  EXPECT_THAT(line("id_ranges").evidence, HasSubstr("gid_map: "));
}

TEST_F(Receipt, TellsTheFlagsOfTheRootAndHowManyMountsWereReadBack) {
  readback.root_flags = 4103;
  readback.mounts_made = 21;
  expect("root", enforced,
         "pivot_root; statfs('/') flags 4103: read-only; 21 mounts with their flags read back");
}

TEST_F(Receipt, TellsOfAHostThatGivesNoNewProc) {
  expect("proc", enforced, "a new one for the pid namespace, read-only");
  readback.fresh_proc = -EPERM;
  expect("proc", enforced, concat("none: the kernel refuses a new one here: ", errno_text(EPERM)));
}

// Behind the mounts Landlock is a second layer; the receipt reports if it is missing.
TEST_F(Receipt, AKernelWithoutLandlockIsToldAsSuch) {
  expect("landlock", enforced, concat("ABI 6; mknod of a device gives ", errno_text(EACCES)));
  host.landlock_abi = 0;
  expect("landlock", absent, "the kernel has no Landlock; the mounts alone confine files");
}

TEST_F(Receipt, NamesTheFilterWithItsHash) {
  expect("system_calls", enforced, "PR_GET_SECCOMP=2, filter default of 7 instructions, sha256:1");
}

TEST_F(Receipt, TellsWhetherTheNetworkIsIsolated) {
  expect("network", not_requested, "the command's network is not isolated");
  plan.refuse_network = true;
  expect("network", enforced, "a network namespace with a loopback and nothing else");
}

TEST_F(TierBReceipt, TellsWhetherTheNetworkIsIsolated) {
  expect("network", not_requested, "the command's network is not isolated");
  plan.refuse_network = true;
  expect("network", enforced, "the filter refuses every socket that leads out of the run");
  EXPECT_EQ(line("unix_sockets").state, enforced);
  EXPECT_EQ(line("system_calls").state, enforced);
}

TEST_F(TierBReceipt, TellsWhatLandlockAnsweredAndHowManyGrantsThereAre) {
  plan.files.resize(3);
  expect("landlock", enforced, concat("ABI 6, 3 grants; open of '/' gives ", errno_text(EACCES)));
  readback.landlock_probe = 0;
  expect("landlock", enforced, "ABI 6, 3 grants; the policy grants '/'");
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
    EXPECT_EQ(line(gap.layer).state, absent);
    EXPECT_THAT(line(gap.layer).evidence, HasSubstr(concat("needs Landlock ABI ", gap.closed_by)));
  }
  host.landlock_abi = 99;
  for (const char* layer : {"landlock.metadata", "landlock.process_list"})
    EXPECT_EQ(line(layer).state, absent) << layer;
}

TEST_F(TierBReceipt, TellsWhyThereAreNoNamespaces) {
  expect("namespaces", not_requested, "tier b has none");
  host.tier_c_reason = "forbidden here";
  expect("namespaces", absent, "forbidden here");
}

TEST_F(Receipt, TellsEachRlimitAsTheKernelDid) {
  plan.limits = {.open_files = 20, .file_bytes = 30};
  plan_limit(ProcessLimit::core_bytes, 1);
  plan_limit(ProcessLimit::open_files, 19);
  plan_limit(ProcessLimit::file_bytes, 29);
  expect("limit.core", enforced, "RLIMIT_CORE=1");
  expect("limit.open_files", enforced, "RLIMIT_NOFILE=19");
  expect("limit.file_size", enforced, "RLIMIT_FSIZE=29");
  plan.limits.tmp_bytes = 50;
  expect("limit.tmp", enforced, "tmpfs of 50 bytes");
}

TEST_F(Receipt, TellsWhoCountsTheTime) {
  plan.limits.cpu_time_ms = 1000;
  plan_limit(ProcessLimit::cpu_seconds, 3);
  const auto told = [&] { return line("limit.cpu_time").evidence; };
  EXPECT_EQ(line("limit.cpu_time").state, enforced);
  EXPECT_THAT(told(), HasSubstr("processes that are alive or were waited for"));
  EXPECT_THAT(told(), HasSubstr("backstop RLIMIT_CPU=3 s per process"));
  readback.fresh_proc = -EPERM;
  EXPECT_THAT(told(), HasSubstr("processes that were waited for"));
  plan.tier = Tier::b;
  EXPECT_THAT(told(), HasSubstr("that are alive or were waited for"))
      << "the host's /proc is there";
  cgroup.emplace();
  cgroup->counts.cpu_user_usec = 1;
  EXPECT_THAT(told(), Not(HasSubstr("cpu.stat"))) << "half of it is not all of it";
  cgroup->counts.cpu_system_usec = 1;
  EXPECT_THAT(told(), HasSubstr("whole tree, cpu.stat of its cgroup"));
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
  const auto told = [&] { return line("limit.memory").evidence; };
  EXPECT_EQ(line("limit.memory").state, partial);
  EXPECT_THAT(
      told(),
      HasSubstr("memory.max 999 without swap, which the kernel does not count in '/cg/run'"));
  EXPECT_THAT(told(), HasSubstr("oom_kill not counted"));
  cgroup->in_force.swap_bounded = true;
  EXPECT_EQ(line("limit.memory").state, enforced);
  cgroup->counts.oom_kills = 2;
  EXPECT_EQ(told(), "memory.max 999 with swap in '/cg/run', the whole tree; oom_kill 2");
  cgroup->version = CgroupVersion::v1;
  EXPECT_THAT(told(), HasSubstr("memory.limit_in_bytes 999"));
}

TEST_F(CgroupReceipt, WithoutTheControllerTellsTheRlimit) {
  cgroup->in_force.limits = {};
  plan_limit(ProcessLimit::memory_data, 998);
  plan_limit(ProcessLimit::processes, 15);
  for (const bool has_cgroup : {true, false}) {
    if (!has_cgroup) cgroup.reset();
    EXPECT_THAT(line("limit.memory").evidence, HasSubstr("RLIMIT_DATA=998"));
    EXPECT_EQ(line("limit.processes").evidence,
              "RLIMIT_NPROC=15, of which 9 were taken by the user's other tasks");
    EXPECT_EQ(line("limit.cpu_percent").evidence, "");
  }
}

TEST_F(CgroupReceipt, TellsTheProcessesAndTheRate) {
  expect("limit.processes", enforced,
         "pids.max 6 in '/cg/run', the whole tree; refused not counted");
  cgroup->counts.pids_refused = 4;
  expect("limit.processes", enforced, "pids.max 6 in '/cg/run', the whole tree; refused 4");
  expect("limit.cpu_percent", enforced, "cpu.max 50000 of 100000 us in '/cg/run', the whole tree");
}

TEST_F(CgroupReceipt, TellsHowTheCommandCameIntoIt) {
  readback.cgroups_entered = 1;
  expect("cgroup", enforced, "v2, the command entered it and found itself alone in 1 cgroup.procs");
  readback.cloned_into_cgroup = true;
  expect("cgroup", enforced,
         "v2, the command was cloned into it and found itself alone in 1 cgroup.procs");
  cgroup->version = CgroupVersion::v1;
  readback.cgroups_entered = 3;
  EXPECT_THAT(line("cgroup").evidence, HasSubstr("v1, "));
  EXPECT_THAT(line("cgroup").evidence, HasSubstr("alone in 3 files cgroup.procs"));
}

TEST_F(Receipt, TellsWhyThereIsNoCgroup) {
  expect("cgroup", not_requested, "no limit needs one");
  plan.no_cgroup = "not here";
  expect("cgroup", absent, "not here");
}

TEST_F(CgroupReceipt, TellsTheBudgetOfAllRunsOnlyIfThereIsOne) {
  EXPECT_FALSE(has("limit.total_memory"));
  give_budget();
  readback.cloned_into_cgroup = true;
  cgroup->budget->swap_bounded = true;
  expect("limit.total_memory", enforced,
         "memory.max 2000 with swap in '/cg/all', all runs below it");
  expect("limit.total_processes", enforced, "pids.max 20 in '/cg/all', all runs below it");
  readback.cloned_into_cgroup = false;
  EXPECT_THAT(line("limit.total_processes").evidence,
              HasSubstr("the first process of each run enters even if the budget is used up"));
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
  const auto at_end = [&](const Limit& now) {
    cgroup->budget_at_end.memory_bytes = now;
    return line("limit.total_memory");
  };
  EXPECT_EQ(at_end(1999).state, enforced);
  EXPECT_THAT(at_end(1999).evidence, HasSubstr("but at the end it was 1999"));
  EXPECT_EQ(at_end(2001).state, absent);
  EXPECT_THAT(at_end(2001).evidence, HasSubstr("but at the end it was 2001"));
  EXPECT_EQ(at_end({}).state, absent);
  EXPECT_THAT(at_end({}).evidence, HasSubstr("no limit that can be read"));
}

// A process in an uninterruptible wait outlives SIGKILL. The receipt must not claim an end that was
// not observed.
class WhatIsLeft : public testing::Test {
 protected:
  WhatIsLeft() {
    plan.tier = Tier::b;
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
  EXPECT_EQ(line("process_tree").state, absent);
  EXPECT_THAT(line("process_tree").evidence,
              HasSubstr("some processes of the run were still alive"));
}

TEST_F(WhatIsLeft, OfADirectoryThatIsNotRemovedYetIsAdmitted) {
  supervised.init_gone = false;
  EXPECT_EQ(line("process_tree").state, enforced);
  EXPECT_EQ(line("private_directory").state, absent);
  EXPECT_THAT(line("private_directory").evidence, HasSubstr("not removed yet"));
  plan.private_name = "";
  EXPECT_EQ(line("private_directory"), Enforcement{}) << "there is none to speak of";
}

}  // namespace
}  // namespace bawn::linux_
