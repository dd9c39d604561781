// How runs end: answered in time, with a named cause, and with nothing left alive.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "sys/fd.h"
#include "yard.h"

namespace bawn {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

// An argument that names this test's processes on the whole machine.
std::string marker() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return "marker-" + std::to_string(getpid()) + "-" + test->name();
}

// Whatever the run had started is dead when the caller has its answer; zombies have no arguments any more.
void expect_nothing_alive(const std::string& mark) { EXPECT_FALSE(process_with_argument(mark).has_value()); }

Policy with_wall_time(milliseconds limit) {
  Policy policy = yard_policy();
  policy.limits.wall_time_ms = static_cast<std::uint64_t>(limit.count());
  return policy;
}

TEST(Ending, ExitCodesAndSignalsComeBackAsTheyAre) {
  const Yard yard;
  for (const int code : {0, 1, 3, 125, 255}) {
    const Outcome outcome = yard.run({"exit", std::to_string(code)});
    EXPECT_EQ(outcome.status, Status::exited);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_FALSE(outcome.error.has_value());
    EXPECT_EQ(exit_code_of(outcome), code);
  }
  const Outcome killed = yard.run({"raise", std::to_string(SIGSEGV)});
  EXPECT_EQ(killed.status, Status::signaled);
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_EQ(exit_code_of(killed), 128 + SIGSEGV);
}

TEST(Ending, ADeafSleeperIsKilledAtItsDeadline) {
  const Yard yard;
  const std::string mark = marker();
  const auto begun = Clock::now();
  const Outcome outcome = yard.run(with_wall_time(milliseconds(500)), {"ignore-and-sleep", mark});
  EXPECT_GE(Clock::now() - begun, milliseconds(500));
  EXPECT_EQ(outcome.status, Status::timed_out) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "wall_time");
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_EQ(exit_code_of(outcome), 124);
  EXPECT_EQ(outcome.stdout_stream.data, "ready\n") << "what was captured before the end is kept";
  expect_nothing_alive(mark);
}

TEST(Ending, AStoppedProcessIsEndedToo) {
  const Yard yard;
  const std::string mark = marker();
  EXPECT_EQ(yard.run(with_wall_time(milliseconds(300)), {"stop-itself", mark}).status, Status::timed_out);
  expect_nothing_alive(mark);
}

TEST(Ending, ADaemonThatHoldsThePipeNeitherDelaysTheAnswerNorSurvives) {
  const Yard yard;
  const std::string mark = marker();
  const Outcome outcome = yard.run({"leave-daemon", mark});
  EXPECT_EQ(outcome.status, Status::exited) << outcome_json(outcome);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.stdout_stream.data, "left\n");
  expect_nothing_alive(mark);
}

TEST(Ending, AForkBombIsEndedAtTheDeadline) {
  if (getuid() == 0) GTEST_SKIP() << "tier b cannot bound the processes of root";
  const Yard yard;
  const std::string mark = marker();
  Policy policy = with_wall_time(milliseconds(500));
  policy.limits.processes = 40;
  EXPECT_EQ(yard.run(policy, {"fork-forever", mark}).status, Status::timed_out);
  expect_nothing_alive(mark);
}

// The command took the keeper's file descriptors away (prlimit), and what it had started lived on for good.
TEST(Ending, TheCommandCannotBlindItsKeeper) {
  const Yard yard;
  const std::string mark = marker();
  EXPECT_EQ(yard.run({"blind-keeper", mark}).status, Status::exited);
  expect_nothing_alive(mark);
}

// No group to kill it by, and on a small machine hundreds of sessions get a turn before the keeper does.
TEST(Ending, AForkBombOfSessionsIsEndedToo) {
  if (getuid() == 0) GTEST_SKIP() << "tier b cannot bound the processes of root";
  const Yard yard;
  const std::string mark = marker();
  Policy policy = with_wall_time(milliseconds(500));
  policy.limits.processes = 40;
  EXPECT_EQ(yard.run(policy, {"fork-sessions-forever", mark}).status, Status::timed_out);
  const auto deadline = Clock::now() + seconds(60);
  while (process_with_argument(mark) && Clock::now() < deadline) std::this_thread::yield();
  expect_nothing_alive(mark);
}

// Does `deed` in a child that has changed its own surroundings; how it ended, as for waitpid.
template <class Deed>
int in_another_process(Deed deed) {
  const pid_t child = fork();
  if (child == 0) _exit(deed());
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// With hidepid a process that is not dumpable has no entry in /proc for its own user, and what could not be asked for its
// parent was not killed.
TEST(Ending, AProcessThatProcHidesIsEndedToo) {
  if (getuid() != 0) GTEST_SKIP() << "only root can mount a /proc that hides processes";
  const Yard yard;
  const std::string mark = marker();
  chmod(std::filesystem::path(yard.workspace()).parent_path().c_str(), 0755);
  // The tree may lie where only root can read, below /root for one.
  const std::string program = yard.outside() + "/sandboxee";
  std::filesystem::copy_file(sandboxee(), program);
  const int status = in_another_process([&] {
    if (setenv("BAWN_SANDBOXEE", program.c_str(), 1) != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("proc", "/proc", "proc", 0, "hidepid=2") != 0 || setresgid(65534, 65534, 65534) != 0 ||
        setresuid(65534, 65534, 65534) != 0) {
      return 1;
    }
    return yard.run({"leave-hidden-daemon", mark}).status == Status::exited ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  expect_nothing_alive(mark);
}

// In a new pid namespace that still shows the old /proc, our numbers are strangers' there: nothing may run.
TEST(Ending, NothingRunsUnderTheProcOfAnotherNamespace) {
  if (getuid() != 0) GTEST_SKIP() << "only root can make a pid namespace alone";
  const Yard yard;
  const std::string mark = marker();
  const int status = in_another_process([&] {
    if (unshare(CLONE_NEWPID) != 0) return 1;
    return WEXITSTATUS(in_another_process([&] {
      const Outcome outcome = yard.run({"leave-daemon", mark});
      return outcome.error && outcome.error->step == "open_proc" ? 0 : 2;
    }));
  });
  EXPECT_EQ(status, 0);
  expect_nothing_alive(mark);
}

// Must-show of the issue that asked for it: fds, setsid, deafness, floods and a held pipe, all in one program.
TEST(Ending, EverythingAtOnceIsAnsweredInTimeAndNothingSurvives) {
  const Yard yard;
  const std::string mark = marker();
  Policy policy = with_wall_time(seconds(3));
  policy.limits.output_bytes = {};
  const auto begun = Clock::now();
  const Outcome outcome = yard.run(policy, {"do-everything", mark});
  EXPECT_EQ(outcome.status, Status::timed_out) << outcome_json(outcome).substr(0, 500);
  // The promise is one second; a loaded machine that runs many tests gets a generous multiple before it is called late.
  EXPECT_LT(Clock::now() - begun, seconds(3 + 20));
  EXPECT_GT(outcome.stdout_stream.bytes + outcome.stderr_stream.bytes, 0U);
  EXPECT_TRUE(outcome.truncated);
  expect_nothing_alive(mark);
}

TEST(Ending, AFloodIsCutAtTheOutputLimitAndWhatFitsIsKept) {
  const Yard yard;
  const std::string mark = marker();
  Policy policy = yard_policy();
  policy.limits.output_bytes = 100'000;
  const Outcome outcome = yard.run(policy, {"flood", "1000000000", mark});
  EXPECT_EQ(outcome.status, Status::quota_exceeded);
  EXPECT_EQ(outcome.limit, "output");
  EXPECT_TRUE(outcome.truncated);
  EXPECT_EQ(outcome.stdout_stream.data.size() + outcome.stderr_stream.data.size(), 100'000U);
  expect_nothing_alive(mark);
}

TEST(Ending, TheCpuLimitCountsTheWholeTree) {
  const Yard yard;
  const std::string mark = marker();
  Policy policy = yard_policy();
  policy.limits.cpu_time_ms = 300;
  const Outcome outcome = yard.run(policy, {"spin-in-children", "3", mark});
  EXPECT_EQ(outcome.status, Status::quota_exceeded) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "cpu_time");
  EXPECT_GE(outcome.usage.cpu_user_ms + outcome.usage.cpu_system_ms, 300U);
  expect_nothing_alive(mark);
}

TEST(Limits, MemoryIsBoundedAndReservationsAreNot) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.limits.memory_bytes = 64 << 20;
  EXPECT_EQ(yard.run(policy, {"allocate", std::to_string(128 << 20)}).stdout_stream.data, "ENOMEM\n");
  EXPECT_EQ(yard.run(policy, {"allocate", std::to_string(16 << 20)}).stdout_stream.data, "ok\n");
  EXPECT_EQ(yard.run(policy, {"reserve", std::to_string(1LL << 40)}).stdout_stream.data, "ok\n");
}

TEST(Limits, AFileThatGrowsTooLargeEndsTheRunWithItsName) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.limits.file_bytes = 1 << 20;
  const Outcome outcome = yard.run(policy, {"grow-file", "big", std::to_string(2 << 20)});
  EXPECT_EQ(outcome.status, Status::quota_exceeded) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "file_size");
  EXPECT_EQ(yard.run(policy, {"grow-file", "small", "65536"}).exit_code, 0);
}

TEST(Limits, ProcessesAreBoundedForAnOrdinaryUser) {
  if (getuid() == 0) GTEST_SKIP() << "tier b cannot bound the processes of root";
  const Yard yard;
  Policy policy = yard_policy();
  policy.limits.processes = 10;
  const Outcome outcome = yard.run(policy, {"fork-many", "200"});
  // The user's other tasks come and go while this runs, and the kernel counts them too.
  EXPECT_LT(std::stoi(outcome.stdout_stream.data), 100) << outcome_json(outcome);
  policy.limits.processes = {};
  EXPECT_EQ(yard.run(policy, {"fork-many", "200"}).stdout_stream.data, "200\n");
}

TEST(Limits, RootIsToldThatItsProcessesCannotBeBounded) {
  if (getuid() != 0) GTEST_SKIP() << "only root is exempt";
  const Yard yard;
  Policy policy = yard_policy();
  policy.limits.processes = 10;
  policy.limits.optional = {"processes", "tmp_bytes"};
  EXPECT_EQ(layer_state(yard.run(policy, {"exit", "0"}), "limit.processes"), LayerState::absent);
  policy.limits.optional = {"tmp_bytes"};
  const Outcome refused = yard.run(policy, {"exit", "0"});
  ASSERT_EQ(refused.violations.size(), 1U);
  EXPECT_EQ(refused.violations[0].code, "limit.unenforceable");
}

TEST(Limits, OpenFilesAreBounded) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.limits.open_files = 20;
  EXPECT_EQ(yard.run(policy, {"open-many", "100"}).stdout_stream.data, "17\n");
}

TEST(PrivateDirectory, IsEmptyWritableAndGoneAfterwards) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  const Outcome outcome = yard.run(policy, {"print-directory"});
  EXPECT_EQ(outcome.status, Status::exited) << outcome_json(outcome);
  std::string directory = outcome.stdout_stream.data;
  directory.pop_back();
  EXPECT_THAT(directory, HasSubstr("/bawn-"));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(directory).parent_path()));
  EXPECT_EQ(yard.run(policy, {"create", "file"}).stdout_stream.data, "ok\n");
}

// The report that the tree was gone came after the removal, and the receipt said that some of it was still alive.
TEST(PrivateDirectory, FullOfFilesDelaysNeitherTheAnswerNorTheNewsThatTheTreeIsGone) {
  const Yard yard;
  const Outcome outcome = yard.run({"litter", "50000"});
  EXPECT_EQ(outcome.stdout_stream.data, "ok\n") << outcome_json(outcome);
  EXPECT_EQ(layer_state(outcome, "process_tree"), LayerState::enforced);
  while (waitpid(-1, nullptr, 0) > 0) {  // a keeper that is still at it
  }
}

TEST(Cancel, EndsTheRunAndSaysSo) {
  const Yard yard;
  const std::string mark = marker();
  const Fd cancel(eventfd(0, EFD_CLOEXEC));
  std::thread canceller([&] {
    while (!process_with_argument(mark)) std::this_thread::yield();
    eventfd_write(cancel.get(), 1);
  });
  const Outcome outcome =
      bawn::run(yard_policy(), {.command = sandboxee(), .args = {"ignore-and-sleep", mark}},
                {.workspace = yard.workspace(), .cancel_fd = cancel.get()});
  canceller.join();
  EXPECT_EQ(outcome.status, Status::cancelled) << outcome_json(outcome);
  expect_nothing_alive(mark);
}

// Runs in a child of its own that is killed; the keeper must end the tree and remove the directory by itself.
TEST(Caller, KilledWithoutWarningLeavesNothingBehind) {
  const Yard yard;
  const std::string mark = marker();
  Policy policy = yard_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  const pid_t caller = fork();
  if (caller == 0) {
    const Outcome outcome = yard.run(policy, {"ignore-and-sleep", mark});
    _exit(outcome.success() ? 0 : 1);
  }
  std::optional<int> command;
  while (!command) command = process_with_argument(mark);
  const std::string directory =
      std::filesystem::read_symlink("/proc/" + std::to_string(*command) + "/cwd").parent_path();
  EXPECT_THAT(directory, HasSubstr("/bawn-"));
  EXPECT_TRUE(std::filesystem::exists(directory));
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  const auto deadline = Clock::now() + seconds(60);
  while (std::filesystem::exists(directory) && Clock::now() < deadline) std::this_thread::yield();
  EXPECT_FALSE(std::filesystem::exists(directory));
  expect_nothing_alive(mark);
}

TEST(Caller, MayIgnoreItsChildren) {
  const Yard yard;
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const Outcome outcome = yard.run({"exit", "7"});
  std::signal(SIGCHLD, before);
  EXPECT_EQ(outcome.exit_code, 7) << outcome_json(outcome);
}

TEST(Caller, MayWaitForAnyChildAtTheSameTime) {
  const Yard yard;
  std::atomic<bool> over = false;
  std::thread greedy([&] {
    while (!over) waitpid(-1, nullptr, WNOHANG);
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(yard.run({"exit", "7"}).exit_code, 7);
  over = true;
  greedy.join();
}

TEST(Caller, MayRunManyAtOnceFromManyThreadsWithoutLosingADescriptor) {
  const Yard yard;
  EXPECT_EQ(yard.run({"exit", "0"}).exit_code, 0);  // whatever the first run sets up for good
  const int before = open_descriptors();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&yard, t] {
      for (int i = 0; i < 5; ++i) EXPECT_EQ(yard.run({"exit", std::to_string(t)}).exit_code, t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left to wait for";
}

TEST(Caller, MayHaveNoStdio) {
  const Yard yard;
  const pid_t caller = fork();
  if (caller == 0) {
    for (const int fd : {0, 1, 2}) close(fd);
    const Outcome outcome = yard.run({"print-to-both", "out", "err"});
    _exit(outcome.stdout_stream.data == "out" && outcome.stderr_stream.data == "err" ? 0 : 1);
  }
  int status = 0;
  waitpid(caller, &status, 0);
  EXPECT_EQ(status, 0);
}

// Its closed stdin was the number of the next file bawn opened for itself, and that was what the command got.
TEST(Caller, CannotPassOnStdioThatItHasNot) {
  const Yard yard;
  const auto pass = [&] {
    return bawn::run(yard_policy(), {.command = sandboxee(), .args = {"exit", "0"}},
                     {.workspace = yard.workspace(), .stdio = StdioMode::pass});
  };
  const auto passes_without = [&](int fd) {
    return in_another_process([&] {
      if (fd >= 0) close(fd);
      return pass().status == Status::exited ? 1 : 0;
    });
  };
  EXPECT_NE(passes_without(-1), 0);
  for (const int fd : {0, 1, 2}) EXPECT_EQ(passes_without(fd), 0) << fd;
}

// The kernel counts a file in memory as a file, and answers a write beyond the limit with a signal that kills the caller.
TEST(Caller, WithATinyFileSizeLimitIsToldInsteadOfKilled) {
  const Yard yard;
  EXPECT_EQ(in_another_process([&] {
              const struct rlimit none = {0, 0};
              setrlimit(RLIMIT_FSIZE, &none);
              return yard.run({"exit", "0"}).status == Status::failed ? 0 : 1;
            }),
            0);
}

TEST(Memory, OfTheCallerStaysSmallWhileTheCommandWritesAGigabyte) {
  const Yard yard;
  const pid_t caller = fork();
  if (caller == 0) {
    Policy policy = yard_policy();
    policy.limits.output_bytes = {};
    const Outcome outcome = yard.run(policy, {"flood", std::to_string(512LL << 20)});
    struct rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    const std::uint64_t written = outcome.stdout_stream.bytes + outcome.stderr_stream.bytes;
    const bool all = outcome.exit_code == 0 && written == 1ULL << 30 && !outcome_json(outcome).empty();
    _exit(!all ? 250 : static_cast<int>(usage.ru_maxrss / 1024));
  }
  int status = 0;
  waitpid(caller, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_LT(WEXITSTATUS(status), 24) << "peak resident MiB; 250 means that the run itself went wrong";
}

TEST(Stdin, IsTheRequestsTextOrEmpty) {
  const Yard yard;
  EXPECT_EQ(yard.run({"copy-stdin"}).stdout_stream.data, "");
  const Outcome outcome =
      bawn::run(yard_policy(), {.command = sandboxee(), .args = {"copy-stdin"}, .stdin_text = "given"},
                {.workspace = yard.workspace()});
  EXPECT_EQ(outcome.stdout_stream.data, "given");
}

TEST(Output, IsRedactedEncodedAndNeutralised) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.redaction.secrets = {"open-sesame"};
  const Outcome outcome = yard.run(policy, {"print", "say open-sesame", "\x1b[31mred"});
  EXPECT_EQ(outcome.stdout_stream.data, "say [redacted:literal]\n\\x1b[31mred\n");
  EXPECT_EQ(outcome.redactions.at("literal"), 1U);
}

}  // namespace
}  // namespace bawn
