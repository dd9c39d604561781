// A command that is pid 1 of the pid namespace it sees. Its init is outside of that namespace and
// still supervises it.
//
// Each case also runs the same command as an ordinary one.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "../cover_proc.h"
#include "../refuse_call.h"
#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/limit.h"
#include "policy/policy.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

FixturePolicy first_policy() {
  FixturePolicy policy = fixture_policy();
  policy.identity.as_pid_1 = true;
  return policy;
}

TEST(ProcessOne, IsTheCommandAndTheOnlyProcessItSees) {
  const RunFixture fixture;
  EXPECT_EQ(said(fixture.run(first_policy(), {"print-numbers"})),
            "pid 1\nparent 0\nself 1\nsees 1");
  const std::string ordinary = said(fixture.run({"print-numbers"}));
  EXPECT_THAT(ordinary, AllOf(HasSubstr("\nparent 1\n"), HasSubstr("\nsees 1 ")));
}

TEST(ProcessOne, HasAProcThatIsReadOnlyAndHidesWhatAnyDoes) {
  const RunFixture fixture;
  for (const FixturePolicy& policy : {first_policy(), fixture_policy()}) {
    EXPECT_EQ(said(fixture.run(policy, {"read", "/proc/cpuinfo"})), "ok");
    EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", "/proc/keys"})), "EACCES");
    EXPECT_EQ(said(fixture.run_unvalidated(policy, {"write", "/proc/self/oom_score_adj"})),
              "EROFS");
  }
  std::ifstream keys("/proc/keys");
  EXPECT_TRUE(keys.is_open()) << "the control: outside it can be read";
}

// Init's own /proc would show init and the processes around it.
TEST(ProcessOne, HasOneProcAndNoOtherBelowIt) {
  const RunFixture fixture;
  EXPECT_EQ(said(fixture.run({"count-mounts", "proc"})), "1");
  EXPECT_EQ(said(fixture.run(first_policy(), {"count-mounts", "proc"})), "1");
}

TEST(ProcessOne, IsTheHeirOfOrphans) {
  const RunFixture fixture;
  EXPECT_EQ(said(fixture.run(first_policy(), {"reap-orphan"})), "ok");
  EXPECT_EQ(said(fixture.run({"reap-orphan"})), "ECHILD") << "init is";
}

TEST(ProcessOne, LeadsItsSession) {
  const RunFixture fixture;
  const Outcome outcome = fixture.run(first_policy(), {"print-process-state"});
  EXPECT_THAT(said(outcome), AllOf(HasSubstr("session 1\n"), HasSubstr("seccomp 2\n")));
  EXPECT_TRUE(layer_has(outcome, "session", {"own", true}));
  EXPECT_TRUE(layer_has(outcome, "session", {"leader", "command"}));
}

TEST(ProcessOne, ReachesNoProcessOutside) {
  const RunFixture fixture;
  const std::string self = std::to_string(getpid());
  EXPECT_EQ(said(fixture.run(first_policy(), {"signal", self, "0"})), "ESRCH");
  EXPECT_EQ(said(fixture.run(first_policy(), {"signal-all"})), "ESRCH");
  EXPECT_EQ(said(fixture.run(first_policy(), {"read-command-line", self})), "ENOENT");
  EXPECT_EQ(said(fixture.run(first_policy(), {"signal", "1", "0"})), "ok") << "the control: itself";
}

// A sibling would be outside of the namespace. The kernel refuses CLONE_PARENT to the first process
// of a namespace.
TEST(ProcessOne, HasNoSiblings) {
  const RunFixture fixture;
  EXPECT_EQ(said(fixture.run(first_policy(), {"leave-sibling"})), "EINVAL");
  EXPECT_EQ(said(fixture.run({"leave-sibling"})), "ok");
}

class LeftByProcessOne : public testing::TestWithParam<const char*> {};

TEST_P(LeftByProcessOne, IsGoneWithIt) {
  const RunFixture fixture;
  const std::string mark = marker();
  const Outcome outcome = fixture.run(first_policy(), {GetParam(), mark});
  EXPECT_THAT(said(outcome), testing::AnyOf("ok", "left"));
  EXPECT_EQ(outcome.exit_code, 0);
  expect_nothing_alive(mark);
}

INSTANTIATE_TEST_SUITE_P(Of, LeftByProcessOne,
                         testing::Values("leave-daemon", "leave-stopped", "leave-traced",
                                         "leave-orphans-of-orphans", "leave-undumpable",
                                         "leave-reviving"),
                         [](const auto& verb) {
                           std::string name = verb.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ProcessOne, GivesTheRunItsExitCode) {
  const RunFixture fixture;
  EXPECT_EQ(fixture.run(first_policy(), {"exit", "3"}).exit_code, 3);
  // The kernel gives pid 1 no signal from its own namespace that it does not handle.
  EXPECT_EQ(fixture.run(first_policy(), {"raise", std::to_string(SIGUSR1)}).exit_code, 1);
  EXPECT_EQ(fixture.run({"raise", std::to_string(SIGUSR1)}).signal, SIGUSR1);
}

// A command that has used up CPU time is certainly running when it is asked to end.
Outcome ask_to_end(const RunFixture& fixture, FixturePolicy policy, const std::string& verb) {
  policy.limits.cpu_time_ms = 100;
  const std::string mark = marker();
  const Outcome outcome = fixture.run(policy, {verb, mark});
  EXPECT_EQ(outcome.limit, "cpu_time") << outcome_json(outcome);
  expect_nothing_alive(mark);
  return outcome;
}

// The kernel does not deliver SIGTERM to a pid 1 without a handler for it.
TEST(ProcessOne, IsKilledIfItIsDeaf) {
  const RunFixture fixture;
  EXPECT_EQ(ask_to_end(fixture, first_policy(), "spin").signal, SIGKILL);
  EXPECT_EQ(ask_to_end(fixture, fixture_policy(), "spin").signal, SIGTERM);
}

TEST(ProcessOne, IsAskedToEndIfItListens) {
  const RunFixture fixture;
  EXPECT_EQ(ask_to_end(fixture, first_policy(), "spin-until-told").exit_code, 7);
}

TEST(ProcessOne, IsEndedIfTheRunIsCancelled) {
  const RunFixture fixture;
  const std::string mark = marker();
  const Fd cancel(eventfd(0, EFD_CLOEXEC));
  std::thread canceller([&] {
    while (!process_with_argument(mark)) std::this_thread::yield();
    eventfd_write(cancel.get(), 1);
  });
  const Outcome outcome = bawn::run(first_policy(), {.command = guest(), .args = {"sleep", mark}},
                                    {.workspace = fixture.workspace()}, cancel.get());
  canceller.join();
  EXPECT_EQ(outcome.status, Status::cancelled) << outcome_json(outcome);
  expect_nothing_alive(mark);
}

TEST(ProcessOne, IsEndedAtTheDeadline) {
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = first_policy();
  policy.limits.wall_time_ms = 300;
  EXPECT_EQ(fixture.run(policy, {"sleep", mark}).status, Status::timed_out);
  expect_nothing_alive(mark);
}

TEST(ProcessOne, DiesWithBawn) {
  const RunFixture fixture;
  const std::string mark = marker();
  const pid_t caller = fork();
  if (caller == 0) {
    const Outcome outcome = fixture.run(first_policy(), {"leave-daemon-and-sleep", mark});
    _exit(outcome.success() ? 0 : 1);
  }
  while (!process_with_argument(mark)) std::this_thread::yield();
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  EXPECT_TRUE(is_gone_soon(mark));
}

// Its init reads a /proc in which every process has another pid.
TEST(ProcessOne, HasItsTimeCountedWithThatOfItsChildren) {
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = first_policy();
  policy.limits.cpu_time_ms = 300;
  const Outcome outcome = fixture.run(policy, {"spin-in-children", "3", mark});
  EXPECT_EQ(outcome.status, Status::quota_exceeded) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "cpu_time");
  EXPECT_GE(outcome.usage.cpu_user_ms + outcome.usage.cpu_system_ms, 300U);
  expect_nothing_alive(mark);
}

TEST(ProcessOne, HasAsManyProcessesAsAnyCommand) {
  if (!can_bound_processes()) GTEST_SKIP() << "RLIMIT_NPROC does not bind root";
  const RunFixture fixture;
  FixturePolicy policy = first_policy();
  policy.limits.processes = 10;
  const std::string made = said(fixture.run(policy, {"fork-many", "200"}));
  EXPECT_LT(std::stoi(made), 10);
  policy.identity.as_pid_1 = false;
  EXPECT_EQ(said(fixture.run(policy, {"fork-many", "200"})), made);
}

TEST(ProcessOne, FindsItselfInItsCgroup) {
  const CgroupFixture cgroups({CgroupController::memory});
  if (!cgroups.exists()) GTEST_SKIP() << "no cgroup for this user: " << cgroups.why_not();
  const RunFixture fixture;
  FixturePolicy policy = first_policy();
  policy.limits.memory_bytes = 64 << 20;
  policy.limits.cgroup_parent = cgroups.parent();
  const Outcome outcome = fixture.run(policy, {"allocate", std::to_string(128 << 20)});
  EXPECT_EQ(layer_state(outcome, "cgroup"), LayerState::enforced) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "memory") << outcome_json(outcome);
  EXPECT_EQ(said(fixture.run(policy, {"allocate", std::to_string(16 << 20)})), "ok");
  EXPECT_EQ(cgroups.runs(), "");
}

// A process that became another user may not clone into bawn's cgroup. The kernel says so only
// after it has assigned a pid. If the pid namespace had been made before, it was lost with that
// process, and no such command could be started.
TEST(ProcessOne, MovesToItsCgroupIfItCannotBeClonedIntoIt) {
  if (getuid() != 0) GTEST_SKIP() << "only root can run a command as another user";
  const CgroupFixture cgroups({CgroupController::memory});
  if (!cgroups.exists()) GTEST_SKIP() << "no cgroup for this user: " << cgroups.why_not();
  const RunFixture fixture;
  std::filesystem::permissions(std::filesystem::path(fixture.workspace()).parent_path(),
                               std::filesystem::perms(0755));
  const std::string program = fixture.outside() + "/guest";
  std::filesystem::copy_file(guest(), program);
  FixturePolicy policy = first_policy();
  policy.executables.allow = {program};
  policy.identity.uid = policy.identity.gid = 12345;
  policy.limits.memory_bytes = 64 << 20;
  policy.limits.cgroup_parent = cgroups.parent();
  const Outcome outcome = bawn::run(policy, {.command = program, .args = {"print-numbers"}},
                                    {.workspace = fixture.workspace()});
  EXPECT_THAT(said(outcome), StartsWith("pid 1\n")) << outcome_json(outcome);
  EXPECT_TRUE(layer_has(outcome, "cgroup", {"cloned_into", false}));
}

// The number in "pid:[4026531836]".
std::uint64_t inode_in(const std::string& link) {
  return std::stoull(link.substr(link.find('[') + 1));
}

Evidence root_evidence(const Outcome& outcome) {
  for (const Enforcement& line : outcome.enforcement) {
    if (line.layer == "root") return line.evidence;
  }
  ADD_FAILURE() << outcome_json(outcome);
  return {};
}

TEST(ProcessOne, IsNamedInTheReceiptWithTheNamespaceItSees) {
  const RunFixture fixture;
  const Outcome outcome =
      fixture.run_unvalidated(first_policy(), {"print-link", "/proc/self/ns/pid"});
  const std::string seen = said(outcome);
  EXPECT_THAT(seen, StartsWith("pid:["));
  EXPECT_NE(seen, std::filesystem::read_symlink("/proc/self/ns/pid"));
  EXPECT_TRUE(layer_has(outcome, "namespace.pid", {"inode", inode_in(seen)}));
  EXPECT_TRUE(layer_has(outcome, "namespace.pid", {"command_is_pid_1", true}));
  EXPECT_TRUE(layer_has(outcome, "process_tree", {"nested_pid_namespace", true}));
  const Outcome ordinary = fixture.run({"exit", "0"});
  EXPECT_TRUE(layer_has(ordinary, "namespace.pid", {"command_is_pid_1", false}));
  EXPECT_TRUE(layer_has(ordinary, "process_tree", {"nested_pid_namespace", false}));
  // If the command is root inside, the files of another pid 1 are hidden, which takes more mounts.
  if (getuid() != 0) {
    EXPECT_EQ(root_evidence(ordinary), root_evidence(outcome)) << "as many mounts";
  }
}

// The kernel mounts no new /proc for a process that sees only parts of the old one.
TEST(ProcessOne, GoesWithoutProcWhereAnyCommandDoes) {
  if (getuid() != 0) GTEST_SKIP() << "only root can cover a part of /proc";
  const RunFixture fixture;
  const int status = in_another_process([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        !cover_in_proc("sys")) {
      return 1;
    }
    const Outcome outcome = fixture.run(first_policy(), {"print-numbers"});
    if (outcome.stdout_stream.data != "pid 1\nparent 0\nself ENOENT\nsees\n") return 2;
    return layer_has(outcome, "namespace.pid", {"read_back", false}) &&
                   layer_has(outcome, "namespace.pid", {"command_is_pid_1", true})
               ? 0
               : 3;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Fails the readlink() by which pid 1 checks its new /proc, and no other: only this call has such a
// small buffer.
bool refuse_own_number() {
  constexpr std::uint32_t kRoom = 8;
  return refuse_call({.number = SYS_readlinkat,
                      .argument = 3,
                      .test = RefusedCall::Test::equals,
                      .value = kRoom,
                      .error = EIO});
}

// The error once named the mount that was made last, which hides a file below /proc.
TEST(ProcessOne, NamesProcInTheErrorIfItCannotBeChecked) {
  const RunFixture fixture;
  const int status = in_another_process([&] {
    if (!refuse_own_number()) return 1;
    if (!fixture.run({"exit", "0"}).success()) return 2;
    const Outcome outcome = fixture.run(first_policy(), {"exit", "0"});
    if (!outcome.error || outcome.error->step != "nested_proc") return 3;
    return outcome.error->message.find(" '/proc' ") != std::string::npos ? 0 : 4;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

bool write_text(const char* path, const std::string& text) {
  const Fd file(open(path, O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Enters a user namespace that allows one pid namespace at a time.
bool allow_one_pid_namespace() {
  const std::string user = std::to_string(getuid());
  const std::string group = std::to_string(getgid());
  return unshare(CLONE_NEWUSER) == 0 && write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/uid_map", user + " " + user + " 1") &&
         write_text("/proc/self/gid_map", group + " " + group + " 1") &&
         write_text("/proc/sys/user/max_pid_namespaces", "1");
}

TEST(ProcessOne, DoesNotRunIfTheHostRefusesItsNamespace) {
  const RunFixture fixture;
  const std::string observer = fixture.workspace() + "/observer";
  // Each run has its own user namespace: the kernel takes a while to stop counting a namespace that
  // has ended.
  const auto run_with_one = [&](const FixturePolicy& policy,
                                const std::function<bool(const Outcome&)>& is_right) {
    const int status = in_another_process([&] {
      if (!allow_one_pid_namespace()) return 1;
      return is_right(fixture.run(policy, {"create", observer})) ? 0 : 2;
    });
    return WEXITSTATUS(status);
  };
  FixturePolicy policy = first_policy();
  policy.tier = {TierChoice::automatic, Tier::b};  // it does not fall back to tier b either
  EXPECT_EQ(run_with_one(policy,
                         [](const Outcome& refused) {
                           return refused.status == Status::failed && refused.error &&
                                  refused.error->step == "nested_pid_namespace" &&
                                  refused.error->hint.find("user.max_pid_namespaces") !=
                                      std::string::npos;
                         }),
            0);
  EXPECT_FALSE(std::filesystem::exists(observer));
  EXPECT_EQ(
      run_with_one(fixture_policy(), [](const Outcome& ordinary) { return ordinary.success(); }),
      0);
  EXPECT_TRUE(std::filesystem::exists(observer));
}

}  // namespace
}  // namespace bawn
