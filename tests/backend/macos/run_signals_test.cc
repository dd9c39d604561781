// How `bawn run` on macOS learns that it must stop. It uses only what every Unix has, so this runs
// on all of them.
#include "front/cli/signals/run_signals.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

namespace bawn::cli {
namespace {

bool is_readable(int fd) {
  pollfd ask{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&ask, 1, 0) == 1;
}

Outcome cancelled() {
  Outcome outcome;
  outcome.status = Status::cancelled;
  return outcome;
}

// A shell that starts the tests in the background may have ignored SIGINT.
class RunSignalsOfMacos : public testing::Test {
 protected:
  RunSignalsOfMacos() {
    for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) std::signal(number, SIG_DFL);
  }
};

TEST_F(RunSignalsOfMacos, TellARunThatItIsToStopAndWhichSignalSaidSo) {
  RunOptions options;
  RunSignals signals;
  ASSERT_TRUE(signals.catch_for(options, KeyboardOwner::command));
  EXPECT_FALSE(is_readable(signals.fd()));
  EXPECT_EQ(signals.stopped_by(cancelled()), 0);
  std::raise(SIGINT);
  std::raise(SIGTERM);
  EXPECT_TRUE(is_readable(signals.fd()));
  EXPECT_EQ(signals.stopped_by(cancelled()), SIGINT) << "the first one";
  EXPECT_EQ(signals.stopped_by(Outcome{}), 0) << "a run that ended by itself was not stopped";
}

TEST_F(RunSignalsOfMacos, ManySignalsDoNotBlockTheProcess) {
  RunOptions options;
  RunSignals signals;
  ASSERT_TRUE(signals.catch_for(options, KeyboardOwner::nobody));
  for (int i = 0; i < 100'000; ++i) std::raise(SIGTERM);
  EXPECT_TRUE(is_readable(signals.fd()));
}

TEST_F(RunSignalsOfMacos, ASignalThatWasIgnoredStaysIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    RunOptions options;
    RunSignals signals;
    ASSERT_TRUE(signals.catch_for(options, KeyboardOwner::nobody));
    std::raise(SIGHUP);
    EXPECT_FALSE(is_readable(signals.fd()));
    std::raise(SIGTERM);
    EXPECT_TRUE(is_readable(signals.fd()));
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST_F(RunSignalsOfMacos, AfterwardsASignalEndsTheProgramAsBefore) {
  {
    RunOptions options;
    RunSignals signals;
    ASSERT_TRUE(signals.catch_for(options, KeyboardOwner::nobody));
  }
  EXPECT_EXIT(std::raise(SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace bawn::cli
