#include "run/run_context.h"

#include <gtest/gtest.h>

#include <thread>

namespace bawn {
namespace {

std::vector<std::string> steps_of(const Outcome& outcome) {
  std::vector<std::string> steps;
  for (const TimedStep& timed : outcome.timing) steps.push_back(timed.step);
  return steps;
}

TEST(RunContext, AddressesWhateverAnswerIsInIt) {
  const RunOptions options;
  RunContext context(options, "");
  context.address("run-1", {"mended"});
  Outcome answer;
  answer.run_id = "of another run";
  const Outcome sealed = context.sealed(answer);
  EXPECT_EQ(sealed.run_id, "run-1");
  EXPECT_EQ(sealed.repairs, std::vector<std::string>{"mended"});
}

TEST(RunContext, IsTheRequestsUntilItIsAddressed) {
  const RunOptions options;
  EXPECT_EQ(RunContext(options, "mine").sealed({}).run_id, "mine");
}

TEST(RunContext, TellsTheStepsOnlyIfAskedTo) {
  for (const bool timing : {false, true}) {
    const RunOptions options{.timing = timing};
    RunContext context(options, "");
    context.stopwatch().lap("probe");
    const std::vector<std::string> expected =
        timing ? std::vector<std::string>{"probe", "outcome"} : std::vector<std::string>{};
    EXPECT_EQ(steps_of(context.sealed({})), expected);
  }
}

TEST(RunContext, CountsTheTimeFromItsMakingToItsSealing) {
  const RunOptions options{.timing = true};
  RunContext context(options, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const Outcome sealed = context.sealed({});
  EXPECT_GE(sealed.duration_ms, 2U);
  ASSERT_EQ(sealed.timing.size(), 1U);
  EXPECT_LE(sealed.duration_ms * 1'000'000, sealed.timing[0].ns)
      << "within what the stopwatch measures";
}

TEST(RunContext, LogsOnlyIfALogIsGiven) {
  const RunOptions nobody;
  EXPECT_FALSE(RunContext(nobody, "").is_logging());
  EXPECT_NO_THROW(RunContext(nobody, "").log("denied"));

  std::vector<std::string> lines;
  const RunOptions logging{.log = [&](std::string_view line) { lines.emplace_back(line); }};
  EXPECT_TRUE(RunContext(logging, "").is_logging());
  RunContext(logging, "").log("denied");
  EXPECT_EQ(lines, std::vector<std::string>{"denied"});
}

}  // namespace
}  // namespace bawn
