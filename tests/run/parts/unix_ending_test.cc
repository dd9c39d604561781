#include "run/unix/ending.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/text.h"

namespace bawn {
namespace {

const Limits kUnixLimits{.cpu_time_ms = 1000, .file_bytes = 64};

Outcome after_wait(int status) {
  Outcome outcome;
  take_wait_status(status, outcome);
  return outcome;
}

// The outcome of a command that this signal ended, with its usage until then.
Outcome ended_by_signal(int signal, const Usage& usage, const Limits& limits = kUnixLimits) {
  Outcome outcome = after_wait(W_EXITCODE(0, signal));
  outcome.usage = usage;
  name_kernel_limit(limits, {}, outcome);
  return outcome;
}

TEST(WaitStatus, IsAnExitCodeOrASignal) {
  EXPECT_EQ(after_wait(W_EXITCODE(3, 0)).status, Status::exited);
  EXPECT_EQ(after_wait(W_EXITCODE(3, 0)).exit_code, 3);
  EXPECT_EQ(after_wait(W_EXITCODE(3, 0)).signal, std::nullopt);
  const Outcome dumped = after_wait(W_EXITCODE(0, SIGSEGV) | WCOREFLAG);
  EXPECT_EQ(dumped.status, Status::signaled);
  EXPECT_EQ(dumped.signal, SIGSEGV);
  EXPECT_EQ(dumped.exit_code, std::nullopt);
}

TEST(WaitStatus, ThatIsNoEndClaimsNone) { EXPECT_EQ(after_wait(W_STOPCODE(SIGSTOP)), Outcome{}); }

Failure over_quota(std::string message, std::string hint) {
  return {FailureKind::quota_exceeded, std::move(message), "", std::move(hint)};
}

// Any process of the user can send the signal. It was once reported as a file that grew too large.
TEST(KernelLimit, OfFileSizeIsNotNamedForASignalAlone) {
  const Outcome outcome = ended_by_signal(SIGXFSZ, {.cpu_user_ms = 5000});
  EXPECT_EQ(outcome.status, Status::signaled);
  EXPECT_EQ(outcome.signal, SIGXFSZ);
  EXPECT_EQ(outcome.limit, "");
  EXPECT_EQ(outcome.error,
            (Failure{FailureKind::runtime_failure,
                     "signal SIGXFSZ: the file-size limit of 64 bytes may have been reached, or a "
                     "process has sent the signal",
                     "",
                     "if the command writes larger files, try --file-size 128 (policy key: "
                     "limits.file_bytes)"}));
}

TEST(KernelLimit, OfProcessorTimeShowsInASignalAndInWhatWasUsed) {
  for (const int signal : {SIGXCPU, SIGKILL}) {
    const Outcome outcome = ended_by_signal(signal, {.cpu_user_ms = 600, .cpu_system_ms = 400});
    EXPECT_EQ(outcome.status, Status::quota_exceeded) << signal;
    EXPECT_EQ(outcome.limit, "cpu_time");
    EXPECT_EQ(outcome.error, over_quota("the CPU-time limit of 1000 ms was reached",
                                        "try --cpu 10s (policy key: limits.cpu_time_ms)"));
  }
}

TEST(KernelLimit, IsNotBlamedForASignalThatWasSent) {
  const Usage much{.cpu_user_ms = 5000};
  const Usage almost{.cpu_user_ms = 600, .cpu_system_ms = 399};
  for (const Outcome& outcome :
       {ended_by_signal(SIGKILL, almost), ended_by_signal(SIGXCPU, almost),
        ended_by_signal(SIGTERM, much), ended_by_signal(SIGXFSZ, much, {.cpu_time_ms = 1000}),
        ended_by_signal(SIGXCPU, much, {}), ended_by_signal(SIGKILL, much, {})}) {
    EXPECT_EQ(outcome.status, Status::signaled) << outcome.signal.value_or(0);
    EXPECT_EQ(outcome.limit, "");
    EXPECT_EQ(outcome.error, std::nullopt);
  }
}

// Such a run once ended with SIGKILL and without a word.
TEST(KernelLimit, OfTheCallerIsAPossibleCauseAndNoLimitOfTheRun) {
  const auto ended = [](int signal, std::uint64_t used_ms) {
    Outcome outcome = after_wait(W_EXITCODE(0, signal));
    outcome.usage.cpu_user_ms = used_ms;
    name_kernel_limit({.cpu_time_ms = 20'000}, 2, outcome);
    return outcome;
  };
  for (const int signal : {SIGXCPU, SIGKILL}) {
    const Outcome outcome = ended(signal, 1999);
    EXPECT_EQ(outcome.status, Status::signaled);
    EXPECT_EQ(outcome.limit, "");
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->message,
              concat("signal ", signal,
                     ": the CPU-time limit of 2 s that bawn itself was started with (RLIMIT_CPU) "
                     "may have been reached, or a process has sent the signal"));
  }
  EXPECT_EQ(ended(SIGKILL, 1500).error, std::nullopt);
  EXPECT_EQ(ended(SIGTERM, 1999).error, std::nullopt);
  EXPECT_EQ(ended(SIGKILL, 20'000).limit, "cpu_time") << "the limit of the policy goes first";
}

TEST(KernelLimit, IsNotNamedForACommandThatEndedByItself) {
  Outcome outcome = after_wait(W_EXITCODE(1, 0));
  outcome.usage.cpu_user_ms = 5000;
  const Outcome before = outcome;
  name_kernel_limit(kUnixLimits, {}, outcome);
  EXPECT_EQ(outcome, before);
}

}  // namespace
}  // namespace bawn
