// Things of the caller that the command must not get, and limits that the command tries to get
// around.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "policy/limit.h"
#include "setup.h"

namespace bawn::escape {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Inherited, FilesAreClosed) {
  const TestSetup setup;
  const Fd leaked(open("/", O_RDONLY | O_DIRECTORY));
  const Fd high(fcntl(leaked.get(), F_DUPFD, 700));
  EXPECT_EQ(setup.in_sandbox({"list-open-files"}), "0\n1\n2");
  EXPECT_THAT(
      setup.in_sandbox({"read", "/proc/self/fd/" + std::to_string(high.get()) + "/etc/passwd"}),
      "ENOENT");
}

// An open directory works in any namespace: openat(0, "..") once led to the whole host.
TEST(Inherited, ADirectoryAsStdinIsRefused) {
  const TestSetup setup;
  const auto run_with_stdin = [&](const char* stdin_path) {
    return in_another_process([&] {
      const Fd file(open(stdin_path, O_RDONLY));
      dup2(file.get(), 0);
      const Outcome outcome =
          bawn::run(setup.policy(), {.command = guest(), .args = {"read-below-stdin", "etc"}},
                    {.workspace = setup.fixture().workspace(), .stdio = StdioMode::capture_output});
      if (outcome.status == Status::failed) return 7;
      return outcome.exit_code.value_or(9);
    });
  };
  EXPECT_EQ(WEXITSTATUS(run_with_stdin("/")), 7);
  EXPECT_EQ(WEXITSTATUS(run_with_stdin("/dev/null")), 1) << "ran, and found no directory";
}

TEST(Inherited, AFileAsStdinCannotBeOpenedAnewForWriting) {
  const TestSetup setup;
  const std::string secret = setup.fixture().outside() + "/secret";
  const auto run_in = [&](FixturePolicy policy) {
    return WEXITSTATUS(in_another_process([&] {
      const Fd file(open(secret.c_str(), O_RDONLY));
      dup2(file.get(), 0);
      return bawn::run(
                 policy, {.command = guest(), .args = {"reopen-stdin-for-writing"}},
                 {.workspace = setup.fixture().workspace(), .stdio = StdioMode::capture_output})
          .exit_code.value_or(9);
    }));
  };
  const FixturePolicy none = unconfined_policy();
  EXPECT_EQ(run_in(none), 0);
  EXPECT_EQ(run_in(setup.policy()), 1);
}

TEST(Inherited, TheEnvironmentIsThePolicysOne) {
  const TestSetup setup;
  setenv("BAWN_TEST_SECRET", "hunter2", 1);
  setenv("LD_PRELOAD", "", 1);
  EXPECT_THAT(setup.in_sandbox({"list-environment"}), Not(HasSubstr("hunter2")));
  EXPECT_THAT(setup.in_sandbox({"list-environment"}), Not(HasSubstr("LD_PRELOAD")));
  unsetenv("LD_PRELOAD");
  unsetenv("BAWN_TEST_SECRET");
}

TEST(Inherited, SignalsAreTheDefault) {
  const TestSetup setup;
  EXPECT_EQ(WEXITSTATUS(in_another_process([&] {
              for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_IGN);
              ::signal(SIGCHLD, SIG_DFL);
              sigset_t all;
              sigfillset(&all);
              sigprocmask(SIG_SETMASK, &all, nullptr);
              return setup.in_sandbox({"list-odd-signals"}).empty() ? 0 : 1;
            })),
            0);
}

TEST(Inherited, UmaskAndSessionAreNew) {
  const TestSetup setup;
  const mode_t before = umask(0);
  const std::string state = setup.in_sandbox({"print-process-state"});
  umask(before);
  EXPECT_THAT(state, HasSubstr("umask 022"));
  EXPECT_THAT(state, HasSubstr("session 1"));
  EXPECT_THAT(state, HasSubstr("terminal none"));
}

TEST(Inherited, PersonalityIsReset) {
  const TestSetup setup;
  const Words ask = {"print-personality"};
  EXPECT_EQ(WEXITSTATUS(in_another_process([&] {
              personality(ADDR_NO_RANDOMIZE);
              if (setup.unconfined(ask) != "0x40000" && setup.unconfined(ask) != "0x0") return 2;
              return setup.in_sandbox(ask) == "0x0" ? 0 : 1;
            })),
            0);
}

TEST(Inherited, CapabilitiesAreGoneInEverySet) {
  const TestSetup setup;
  const std::string sets = setup.in_sandbox({"print-capabilities"});
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_THAT(sets, HasSubstr(std::string(set) + ":\t0000000000000000"));
}

TEST(Inherited, TheDirectoryIsTheWorkspace) {
  const TestSetup setup;
  EXPECT_EQ(setup.in_sandbox({"print-directory"}), setup.fixture().workspace());
}

TEST(Inherited, AlarmsOfTheCallerDoNotReachTheCommand) {
  const TestSetup setup;
  EXPECT_EQ(WEXITSTATUS(in_another_process([&] {
              ::signal(SIGALRM, SIG_IGN);
              const itimerval soon = {{0, 2000}, {0, 2000}};
              setitimer(ITIMER_REAL, &soon, nullptr);
              return setup.in_sandbox({"list-odd-signals"}).empty() ? 0 : 1;
            })),
            0);
}

void small_scratch(FixturePolicy& policy) {
  policy.limits.tmp_bytes = 1 << 20;
  policy.limits.file_bytes = {};
}

TEST(Limited, ScratchSpaceInBytes) {
  const TestSetup setup;
  const Words grow = {"grow-file", "/tmp/file", std::to_string(4 << 20)};
  EXPECT_EQ(setup.in_sandbox(grow, small_scratch), "ENOSPC");
  EXPECT_EQ(
      setup.in_sandbox({"grow-file", "/dev/shm/file", std::to_string(4 << 20)}, small_scratch),
      "ENOSPC");
  EXPECT_EQ(setup.in_sandbox(grow), "ok");
}

// An empty file uses none of the bytes, but a kilobyte of kernel memory.
TEST(Limited, ScratchSpaceInFiles) {
  const TestSetup setup;
  EXPECT_EQ(setup.in_sandbox({"make-files", "/tmp", "20000"}, small_scratch), "ENOSPC");
  EXPECT_EQ(setup.in_sandbox({"make-files", "/tmp", "2000"}, small_scratch), "ok");
  EXPECT_EQ(setup.in_sandbox({"make-files", "/tmp", "20000"}), "ok");
}

TEST(Limited, TheSizeOfAFile) {
  const TestSetup setup;
  FixturePolicy small = setup.policy();
  small.limits.file_bytes = 1 << 20;
  const std::string path = setup.fixture().workspace() + "/large";
  const Words grow = {"grow-file", path, std::to_string(4 << 20)};
  EXPECT_EQ(setup.fixture().run(small, grow).signal, SIGXFSZ);
  EXPECT_LE(std::filesystem::file_size(path), 1U << 20);
  EXPECT_EQ(setup.in_sandbox(grow), "ok");
}

TEST(Limited, OpenFiles) {
  const TestSetup setup;
  const auto few = [](FixturePolicy& policy) { policy.limits.open_files = 20; };
  EXPECT_EQ(setup.in_sandbox({"open-many", "100"}, few), "17");
  EXPECT_EQ(setup.in_sandbox({"open-many", "100"}), "100");
}

// The kernel counts them for the whole machine.
TEST(Limited, Terminals) {
  const TestSetup setup;
  const auto many_files = [](FixturePolicy& policy) { policy.limits.open_files = 1000; };
  EXPECT_EQ(setup.in_sandbox({"open-terminals", "300"}, many_files), "ENOSPC");
  EXPECT_EQ(setup.in_sandbox({"open-terminals", "200"}, many_files), "ok");
}

// Either refused by an rlimit, or killed by a cgroup.
TEST(Limited, Memory) {
  const TestSetup setup;
  FixturePolicy policy = setup.policy();
  policy.limits.memory_bytes = 32 << 20;
  EXPECT_FALSE(setup.fixture().run(policy, {"allocate", std::to_string(64 << 20)}).success());
  EXPECT_EQ(setup.in_sandbox({"allocate", std::to_string(64 << 20)}), "ok");
}

// Init reads the CPU time of its tree from /proc. A command that took init's descriptors away was
// once never stopped.
TEST(Limited, CpuTimeOfTheTreeWhateverIsDoneToInit) {
  const TestSetup setup;
  FixturePolicy policy = setup.policy();
  policy.limits.cpu_time_ms = 300;
  const Outcome outcome = setup.fixture().run(policy, {"take-files-and-spin"});
  EXPECT_EQ(outcome.status, Status::quota_exceeded) << outcome_json(outcome);
}

}  // namespace
}  // namespace bawn::escape
