// How runs end: with an outcome in time, with a named cause, and with no process left alive.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "fixture.h"
#include "policy/limit.h"
#include "policy/policy.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

FixturePolicy with_wall_time(milliseconds limit) {
  FixturePolicy policy = fixture_policy();
  policy.limits.wall_time_ms = static_cast<std::uint64_t>(limit.count());
  return policy;
}

TEST(Ending, ExitCodesAndSignalsComeBackAsTheyAre) {
  const RunFixture fixture;
  for (const int code : {0, 1, 3, 125, 255}) {
    const Outcome outcome = fixture.run({"exit", std::to_string(code)});
    EXPECT_EQ(outcome.status, Status::exited);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_FALSE(outcome.error.has_value());
    EXPECT_EQ(exit_code_of(outcome), code);
  }
  const Outcome killed = fixture.run({"raise", std::to_string(SIGSEGV)});
  EXPECT_EQ(killed.status, Status::signaled);
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_EQ(exit_code_of(killed), 128 + SIGSEGV);
}

TEST(Ending, ADeafSleeperIsKilledAtItsDeadline) {
  const RunFixture fixture;
  const std::string mark = marker();
  const auto begun = Clock::now();
  const Outcome outcome =
      fixture.run(with_wall_time(milliseconds(500)), {"ignore-and-sleep", mark});
  EXPECT_GE(Clock::now() - begun, milliseconds(500));
  EXPECT_EQ(outcome.status, Status::timed_out) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "wall_time");
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_EQ(exit_code_of(outcome), 124);
  EXPECT_EQ(outcome.stdout_stream.data, "ready\n") << "what was captured before the end is kept";
  expect_nothing_alive(mark);
}

TEST(Ending, AStoppedProcessIsEndedToo) {
  const RunFixture fixture;
  const std::string mark = marker();
  EXPECT_EQ(fixture.run(with_wall_time(milliseconds(300)), {"stop-itself", mark}).status,
            Status::timed_out);
  expect_nothing_alive(mark);
}

TEST(Ending, ADaemonThatHoldsThePipeNeitherDelaysTheAnswerNorSurvives) {
  const RunFixture fixture;
  const std::string mark = marker();
  const Outcome outcome = fixture.run({"leave-daemon", mark});
  EXPECT_EQ(outcome.status, Status::exited) << outcome_json(outcome);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.stdout_stream.data, "left\n");
  expect_nothing_alive(mark);
}

TEST(Ending, AForkBombIsEndedAtTheDeadline) {
  if (!can_bound_processes()) GTEST_SKIP() << "RLIMIT_NPROC does not bind root";
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = with_wall_time(milliseconds(500));
  policy.limits.processes = 40;
  const Outcome outcome = fixture.run(policy, {"fork-forever", mark});
  EXPECT_EQ(outcome.status, Status::timed_out);
  expect_ended(outcome, mark);
}

// The command once took init's file descriptors away with prlimit(), and its processes lived on for
// good.
TEST(Ending, TheCommandCannotBlindItsInit) {
  const RunFixture fixture;
  const std::string mark = marker();
  EXPECT_EQ(fixture.run({"blind-init", mark}).status, Status::exited);
  expect_nothing_alive(mark);
}

// There is no process group to kill, and on a small machine hundreds of sessions run before init
// does.
TEST(Ending, AForkBombOfSessionsIsEndedToo) {
  if (!can_bound_processes()) GTEST_SKIP() << "RLIMIT_NPROC does not bind root";
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = with_wall_time(milliseconds(500));
  policy.limits.processes = 40;
  const Outcome outcome = fixture.run(policy, {"fork-sessions-forever", mark});
  EXPECT_EQ(outcome.status, Status::timed_out);
  expect_ended(outcome, mark);
}

// Descriptors, setsid(), ignored signals, floods and a held pipe, all in one program.
TEST(Ending, EverythingAtOnceIsAnsweredInTimeAndNothingSurvives) {
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = with_wall_time(seconds(3));
  policy.limits.output_bytes = {};
  const auto begun = Clock::now();
  const Outcome outcome = fixture.run(policy, {"do-everything", mark});
  EXPECT_EQ(outcome.status, Status::timed_out) << outcome_json(outcome).substr(0, 500);
  // The promise is one second. A loaded machine that runs many tests gets much more before the test
  // calls it late.
  EXPECT_LT(Clock::now() - begun, seconds(3 + 20));
  EXPECT_GT(outcome.stdout_stream.bytes + outcome.stderr_stream.bytes, 0U);
  EXPECT_TRUE(outcome.truncated);
  expect_nothing_alive(mark);
}

TEST(Ending, AFloodIsCutAtTheOutputLimitAndWhatFitsIsKept) {
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = fixture_policy();
  policy.limits.output_bytes = 100'000;
  const Outcome outcome = fixture.run(policy, {"flood", "1000000000", mark});
  EXPECT_EQ(outcome.status, Status::quota_exceeded);
  EXPECT_EQ(outcome.limit, "output");
  EXPECT_TRUE(outcome.truncated);
  EXPECT_EQ(outcome.stdout_stream.data.size() + outcome.stderr_stream.data.size(), 100'000U);
  expect_nothing_alive(mark);
}

TEST(Ending, TheCpuLimitCountsTheWholeTree) {
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = fixture_policy();
  policy.limits.cpu_time_ms = 300;
  const Outcome outcome = fixture.run(policy, {"spin-in-children", "3", mark});
  EXPECT_EQ(outcome.status, Status::quota_exceeded) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "cpu_time");
  EXPECT_GE(outcome.usage.cpu_user_ms + outcome.usage.cpu_system_ms, 300U);
  expect_nothing_alive(mark);
}

// By a cgroup if this user may make one, otherwise by an rlimit. cgroup_test.cc tests each of them.
TEST(Limits, MemoryIsBoundedAndReservationsAreNot) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.memory_bytes = 64 << 20;
  const Outcome too_much = fixture.run(policy, {"allocate", std::to_string(128 << 20)});
  EXPECT_TRUE(too_much.stdout_stream.data == "ENOMEM\n" || too_much.limit == "memory")
      << outcome_json(too_much);
  EXPECT_EQ(fixture.run(policy, {"allocate", std::to_string(16 << 20)}).stdout_stream.data, "ok\n");
  EXPECT_EQ(fixture.run(policy, {"reserve", std::to_string(1LL << 40)}).stdout_stream.data, "ok\n");
}

// From outside the two cannot be told apart. So both are reported as a signal, with the limit as a
// possible reason.
TEST(Limits, AFileThatGrowsTooLargeEndsTheCommandByASignalThatCanAlsoBeSent) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.file_bytes = 1 << 20;
  const Outcome grown = fixture.run(policy, {"grow-file", "big", std::to_string(2 << 20)});
  const Outcome sent = fixture.run(policy, {"raise", std::to_string(SIGXFSZ)});
  for (const Outcome* outcome : {&grown, &sent}) {
    EXPECT_EQ(outcome->status, Status::signaled) << outcome_json(*outcome);
    EXPECT_EQ(outcome->signal, SIGXFSZ);
    EXPECT_EQ(outcome->limit, "");
    ASSERT_TRUE(outcome->error);
    EXPECT_THAT(outcome->error->message, HasSubstr("may have been reached"));
  }
  EXPECT_EQ(std::filesystem::file_size(fixture.workspace() + "/big"), 1U << 20);
  EXPECT_EQ(fixture.run(policy, {"grow-file", "small", "65536"}).exit_code, 0);
  policy.limits.file_bytes = {};
  EXPECT_EQ(fixture.run(policy, {"raise", std::to_string(SIGXFSZ)}).error, std::nullopt);
}

// A CPU-time limit that was not used up did not end the command, whichever signal did.
TEST(Limits, ASignalThatIsSentIsNoLimit) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.cpu_time_ms = 60'000;
  policy.limits.memory_bytes = 512 << 20;
  for (const int signal : {SIGXCPU, SIGKILL}) {
    const Outcome outcome = fixture.run(policy, {"raise", std::to_string(signal)});
    EXPECT_EQ(outcome.status, Status::signaled) << outcome_json(outcome);
    EXPECT_EQ(outcome.signal, signal);
    EXPECT_EQ(outcome.limit, "");
    EXPECT_EQ(outcome.error, std::nullopt) << outcome_json(outcome);
  }
}

TEST(Limits, ProcessesAreBounded) {
  if (!can_bound_processes()) GTEST_SKIP() << "RLIMIT_NPROC does not bind root";
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.processes = 10;
  const Outcome outcome = fixture.run(policy, {"fork-many", "200"});
  // The kernel also counts the user's other tasks, which come and go.
  EXPECT_LT(std::stoi(outcome.stdout_stream.data), 100) << outcome_json(outcome);
  policy.limits.processes = {};
  EXPECT_EQ(fixture.run(policy, {"fork-many", "200"}).stdout_stream.data, "200\n");
}

TEST(Limits, RootIsToldThatItsProcessesCannotBeBoundedWithoutCgroups) {
  if (getuid() != 0) GTEST_SKIP() << "only root is exempt";
  const RunFixture fixture;
  const int status = in_another_process([&] {
    if (!hide_cgroups()) return 1;
    FixturePolicy policy = fixture_policy();
    policy.limits.processes = 10;
    policy.limits.optional = {"processes", "tmp_bytes"};
    const bool has_id_of_its_own =
        layer_state(fixture.run(policy, {"exit", "0"}), "limit.processes") == LayerState::enforced;
    if (has_id_of_its_own != (fixture_tier() == Tier::c)) return 4;
    if (fixture_tier() == Tier::c) policy.identity.uid = 0;
    if (layer_state(fixture.run(policy, {"exit", "0"}), "limit.processes") != LayerState::absent)
      return 2;
    policy.limits.optional = {"tmp_bytes"};
    const Outcome refused = fixture.run(policy, {"exit", "0"});
    return refused.violations.size() == 1 && refused.violations[0].code == "limit.unenforceable"
               ? 0
               : 3;
  });
  EXPECT_EQ(status, 0);
}

TEST(Limits, OpenFilesAreBounded) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.open_files = 20;
  EXPECT_EQ(fixture.run(policy, {"open-many", "100"}).stdout_stream.data, "17\n");
}

TEST(Cancel, EndsTheRunAndSaysSo) {
  const RunFixture fixture;
  const std::string mark = marker();
  const Fd cancel(eventfd(0, EFD_CLOEXEC));
  std::thread canceller([&] {
    while (!process_with_argument(mark)) std::this_thread::yield();
    eventfd_write(cancel.get(), 1);
  });
  const Outcome outcome =
      bawn::run(fixture_policy(), {.command = guest(), .args = {"ignore-and-sleep", mark}},
                {.workspace = fixture.workspace()}, cancel.get());
  canceller.join();
  EXPECT_EQ(outcome.status, Status::cancelled) << outcome_json(outcome);
  expect_nothing_alive(mark);
}

// The run happens in a child that is killed. Init must end the tree by itself.
TEST(Caller, KilledWithoutWarningLeavesNothingBehind) {
  const RunFixture fixture;
  const std::string mark = marker();
  const pid_t caller = fork();
  if (caller == 0) {
    const Outcome outcome = fixture.run({"ignore-and-sleep", mark});
    _exit(outcome.success() ? 0 : 1);
  }
  while (!process_with_argument(mark)) std::this_thread::yield();
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  EXPECT_TRUE(is_gone_soon(mark));
}

// A copy of the caller holds every descriptor of the caller, so no end of file tells init that the
// caller is gone.
TEST(Caller, KilledWhileACopyOfItLivesLeavesNothingBehind) {
  const RunFixture fixture;
  const std::string mark = marker();
  std::array<int, 2> pair{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
  Fd ours(pair[0]);
  Fd theirs(pair[1]);
  const pid_t caller = fork();
  if (caller == 0) {
    ours.reset();
    std::thread running([&] { (void)fixture.run({"ignore-and-sleep", mark}); });
    while (!process_with_argument(mark)) std::this_thread::yield();
    if (fork() == 0) {
      char word = 0;
      while (read(theirs.get(), &word, 1) == 1) (void)write(theirs.get(), &word, 1);
      _exit(0);
    }
    raise(SIGKILL);
  }
  theirs.reset();
  waitpid(caller, nullptr, 0);
  const auto copy_answers = [&] {
    char word = 'c';
    return write(ours.get(), &word, 1) == 1 && read(ours.get(), &word, 1) == 1;
  };
  EXPECT_TRUE(copy_answers());
  EXPECT_TRUE(is_gone_soon(mark));
  EXPECT_TRUE(copy_answers()) << "the copy was to outlive the run";
}

TEST(Caller, MayIgnoreItsChildren) {
  const RunFixture fixture;
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const Outcome outcome = fixture.run({"exit", "7"});
  std::signal(SIGCHLD, before);
  EXPECT_EQ(outcome.exit_code, 7) << outcome_json(outcome);
}

TEST(Caller, MayWaitForAnyChildAtTheSameTime) {
  const RunFixture fixture;
  std::atomic<bool> over = false;
  std::thread greedy([&] {
    while (!over) waitpid(-1, nullptr, WNOHANG);
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(fixture.run({"exit", "7"}).exit_code, 7);
  over = true;
  greedy.join();
}

TEST(Caller, MayRunManyAtOnceFromManyThreadsWithoutLosingADescriptor) {
  const RunFixture fixture;
  // The first run sets up some things for good.
  EXPECT_EQ(fixture.run({"exit", "0"}).exit_code, 0);
  const int before = open_descriptors();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&fixture, t] {
      for (int i = 0; i < 5; ++i) EXPECT_EQ(fixture.run({"exit", std::to_string(t)}).exit_code, t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left to wait for";
}

TEST(Caller, MayHaveNoStdio) {
  const RunFixture fixture;
  const pid_t caller = fork();
  if (caller == 0) {
    for (const int fd : {0, 1, 2}) close(fd);
    const Outcome outcome = fixture.run({"print-to-both", "out", "err"});
    _exit(outcome.stdout_stream.data == "out" && outcome.stderr_stream.data == "err" ? 0 : 1);
  }
  int status = 0;
  waitpid(caller, &status, 0);
  EXPECT_EQ(status, 0);
}

// stdin was closed, so the next file that bawn opened got number 0, and the command once got that
// file.
TEST(Caller, CannotPassOnStdioThatItHasNot) {
  const RunFixture fixture;
  const auto pass = [&] {
    return bawn::run(fixture_policy(), {.command = guest(), .args = {"exit", "0"}},
                     {.workspace = fixture.workspace(), .stdio = StdioMode::pass});
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

struct Address {
  sockaddr_in bytes{};
  socklen_t length = sizeof bytes;
  sockaddr* pointer() { return reinterpret_cast<sockaddr*>(&bytes); }
};

Fd made_socket(int family, int type) { return Fd(socket(family, type | SOCK_CLOEXEC, 0)); }

// A service of the host on the loopback, and its address.
Fd listener(Address& address) {
  Fd service = made_socket(AF_INET, SOCK_STREAM);
  address.bytes.sin_family = AF_INET;
  address.bytes.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(service.get(), address.pointer(), address.length), 0);
  EXPECT_EQ(listen(service.get(), 8), 0);
  EXPECT_EQ(getsockname(service.get(), address.pointer(), &address.length), 0);
  return service;
}

Fd end_of_pair(int type) {
  std::array<int, 2> pair{-1, -1};
  EXPECT_EQ(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair.data()), 0);
  close(pair[1]);
  return Fd(pair[0]);
}

// As inetd and socket activation start a program. A command without network once connected its
// stdin to a service of the host. Now it gets the bytes of the connection and no socket.
TEST(Caller, PassesOnTheBytesOfASocketAndNotTheSocket) {
  const RunFixture fixture;
  Address address;
  const Fd service = listener(address);
  const std::string port = std::to_string(ntohs(address.bytes.sin_port));
  // If the command ran: 0 if it reached the service, 1 if not. 7 if bawn refused the descriptor.
  const auto run_with = [&](const Fd& file, int number, const FixturePolicy& policy) {
    return WEXITSTATUS(in_another_process([&] {
      dup2(file.get(), number);
      const Outcome outcome =
          bawn::run(policy, {.command = guest(), .args = {"reconnect-stdin", port}},
                    {.workspace = fixture.workspace(),
                     .stdio = number == 0 ? StdioMode::capture_output : StdioMode::pass});
      if (outcome.status == Status::exited) return *outcome.exit_code;
      constexpr std::array kNames = {"stdin", "stdout", "stderr"};
      const std::string words =
          std::string(kNames[static_cast<std::size_t>(number)]) + " is neither a file";
      return outcome.error && outcome.error->message.find(words) != std::string::npos ? 7 : 9;
    }));
  };
  const FixturePolicy unconfined = disabled_policy();
  FixturePolicy relayless = fixture_policy();
  relayless.limits.output_bytes = {};
  const Fd tcp = made_socket(AF_INET, SOCK_STREAM);
  ASSERT_EQ(connect(tcp.get(), address.pointer(), address.length), 0);
  EXPECT_EQ(run_with(tcp, 0, fixture_policy()), 1);
  EXPECT_EQ(run_with(end_of_pair(SOCK_STREAM), 0, fixture_policy()), 1);
  const Fd udp = made_socket(AF_INET, SOCK_DGRAM);
  for (const int number : {0, 1, 2}) EXPECT_EQ(run_with(udp, number, relayless), 7) << number;
  EXPECT_EQ(run_with(made_socket(AF_UNIX, SOCK_STREAM), 0, fixture_policy()), 7)
      << "is not connected";
  EXPECT_EQ(run_with(end_of_pair(SOCK_DGRAM), 0, fixture_policy()), 7) << "could be connected anew";
  EXPECT_EQ(run_with(udp, 0, unconfined), 0) << "the control: without a sandbox it has the socket";
}

// RLIMIT_FSIZE also holds for a memfd: a write beyond the limit raises SIGXFSZ, which would kill
// the caller.
TEST(Caller, WithATinyFileSizeLimitIsToldInsteadOfKilled) {
  const RunFixture fixture;
  EXPECT_EQ(in_another_process([&] {
              const struct rlimit none = {0, 0};
              setrlimit(RLIMIT_FSIZE, &none);
              return fixture.run({"exit", "0"}).status == Status::failed ? 0 : 1;
            }),
            0);
}

TEST(Memory, OfTheCallerStaysSmallWhileTheCommandWritesAGigabyte) {
  const RunFixture fixture;
  const pid_t caller = fork();
  if (caller == 0) {
    FixturePolicy policy = fixture_policy();
    policy.limits.output_bytes = {};
    const Outcome outcome = fixture.run(policy, {"flood", std::to_string(512LL << 20)});
    struct rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    const std::uint64_t written = outcome.stdout_stream.bytes + outcome.stderr_stream.bytes;
    const bool all =
        outcome.exit_code == 0 && written == 1ULL << 30 && !outcome_json(outcome).empty();
    _exit(!all ? 250 : static_cast<int>(usage.ru_maxrss / 1024));
  }
  int status = 0;
  waitpid(caller, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_LT(WEXITSTATUS(status), 24)
      << "peak resident MiB; 250 means that the run itself went wrong";
}

TEST(Stdin, IsTheRequestsTextOrEmpty) {
  const RunFixture fixture;
  EXPECT_EQ(fixture.run({"copy-stdin"}).stdout_stream.data, "");
  const Outcome outcome = bawn::run(
      fixture_policy(), {.command = guest(), .args = {"copy-stdin"}, .stdin_text = "given"},
      {.workspace = fixture.workspace()});
  EXPECT_EQ(outcome.stdout_stream.data, "given");
}

TEST(Output, IsRedactedEncodedAndNeutralised) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.redaction.secrets = {"open-sesame"};
  const Outcome outcome = fixture.run(policy, {"print", "say open-sesame", "\x1b[31mred"});
  EXPECT_EQ(outcome.stdout_stream.data, "say [redacted:literal]\n\\x1b[31mred\n");
  EXPECT_EQ(outcome.redactions.at("literal"), 1U);
}

}  // namespace
}  // namespace bawn
