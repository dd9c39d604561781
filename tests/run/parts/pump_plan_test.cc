#include "run/record/pump_plan.h"

#include <gtest/gtest.h>

#include "policy/policy.h"

namespace bawn {
namespace {

constexpr int kOut = 11;
constexpr int kErr = 12;

PumpOptionsFor<int> pump_for(StdioMode mode, const Limit& limit, CapturedOutput& record) {
  return plan_pump({.stdio = mode}, limit, Request{.stdin_text = "text"}, record, kOut, kErr);
}

TEST(PumpPlan, CapturesEachStreamBehindItsOwnFilter) {
  CapturedOutput record(Policy{}, {});
  for (const StdioMode mode : {StdioMode::capture, StdioMode::capture_output}) {
    const auto pump = pump_for(mode, {}, record);
    EXPECT_EQ(pump.stdout_sink.kind, SinkKind::capture);
    EXPECT_EQ(pump.stderr_sink.kind, SinkKind::capture);
    EXPECT_EQ(pump.stdout_sink.filter, record.stdout_filter());
    EXPECT_EQ(pump.stderr_sink.filter, record.stderr_filter());
  }
}

TEST(PumpPlan, OnlyACommandWhoseInputIsCapturedTooHasAStdinOfItsOwn) {
  CapturedOutput record(Policy{}, {});
  EXPECT_TRUE(pump_for(StdioMode::capture, 5, record).own_stdin);
  EXPECT_FALSE(pump_for(StdioMode::capture_output, 5, record).own_stdin);
  EXPECT_FALSE(pump_for(StdioMode::pass, 5, record).own_stdin);
  EXPECT_EQ(pump_for(StdioMode::capture, 5, record).stdin_text, "text");
}

TEST(PumpPlan, PassesThroughBawnWhatIsLimitedAsItIs) {
  CapturedOutput record(Policy{}, {});
  for (const std::uint64_t limit : {0U, 5U}) {
    const auto pump = pump_for(StdioMode::pass, limit, record);
    EXPECT_EQ(pump.stdout_sink.kind, SinkKind::relay);
    EXPECT_EQ(pump.stdout_sink.target, kOut);
    EXPECT_EQ(pump.stderr_sink.kind, SinkKind::relay);
    EXPECT_EQ(pump.stderr_sink.target, kErr);
    EXPECT_EQ(pump.stdout_sink.filter, nullptr);
    EXPECT_EQ(pump.output_bytes, limit);
  }
}

TEST(PumpPlan, LeavesTheCallersFilesToTheCommandIfThereIsNothingToCount) {
  CapturedOutput record(Policy{}, {});
  const auto pump = pump_for(StdioMode::pass, {}, record);
  EXPECT_EQ(pump.stdout_sink.kind, SinkKind::none);
  EXPECT_EQ(pump.stderr_sink.kind, SinkKind::none);
  EXPECT_EQ(pump.output_bytes, std::nullopt);
}

}  // namespace
}  // namespace bawn
