#include "run/receipt_lines.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

struct Receipt : ReceiptLines {
  explicit Receipt(const Plan& plan) : ReceiptLines(plan) {}
  using ReceiptLines::add_limit;
  using ReceiptLines::add_output;
  using ReceiptLines::add_unconfined;
  using ReceiptLines::add_wall_time;
  using ReceiptLines::take;
};

Enforcement memory_line(const Plan& plan, const Limit& limit) {
  Receipt receipt(plan);
  receipt.add_limit("memory", "memory_bytes", limit, "RLIMIT_DATA=5");
  return receipt.take().at(0);
}

Enforcement enforced(std::string layer, std::string evidence) {
  return {std::move(layer), LayerState::enforced, std::move(evidence)};
}

TEST(ReceiptLines, ALimitIsInForceIfItIsInThePlan) {
  EXPECT_EQ(memory_line({}, 5), enforced("limit.memory", "RLIMIT_DATA=5"));
  EXPECT_EQ(memory_line({}, 0), enforced("limit.memory", "RLIMIT_DATA=5"))
      << "nothing allowed is a limit too";
  EXPECT_EQ(memory_line({}, {}),
            (Enforcement{"limit.memory", LayerState::not_requested, "unlimited"}));
}

TEST(ReceiptLines, ALimitThatTheHostLacksIsAbsentWhateverThePolicySays) {
  Plan plan;
  plan.absent_limits = {{"processes", "no pids"}, {"memory_bytes", "no controller"}};
  const Enforcement absent{"limit.memory", LayerState::absent, "no controller"};
  EXPECT_EQ(memory_line(plan, 5), absent);
  EXPECT_EQ(memory_line(plan, {}), absent);
}

// A limit that holds only for each process was once called enforced.
TEST(ReceiptLines, ALimitThatSomethingEscapesIsPartialAndSaysWhat) {
  Plan plan;
  plan.partial_limits = {{"memory_bytes", "shared memory is not counted"}};
  EXPECT_EQ(memory_line(plan, 5), (Enforcement{"limit.memory", LayerState::partial,
                                               "RLIMIT_DATA=5; shared memory is not counted"}));
  EXPECT_EQ(memory_line(plan, {}).state, LayerState::not_requested);
  plan.absent_limits = {{"memory_bytes", "no controller"}};
  EXPECT_EQ(memory_line(plan, 5).state, LayerState::absent) << "nothing is less than a part";
}

TEST(ReceiptLines, ALimitIsLackingByThePolicysWordForIt) {
  Plan plan;
  plan.absent_limits = {{"memory", "the record's word"}, {"total_memory_bytes", "another"}};
  EXPECT_EQ(memory_line(plan, 5).state, LayerState::enforced);
}

TEST(ReceiptLines, TellTheNumbersThatBawnItselfCountsTo) {
  Plan plan;
  plan.limits = {.wall_time_ms = 5, .output_bytes = 7};
  Receipt receipt(plan);
  receipt.add_wall_time();
  receipt.add_output();
  const std::vector<Enforcement> expected = {
      enforced("limit.wall_time", "timer of 5 ms"),
      enforced("limit.output", "counted by the supervisor, 7 bytes")};
  EXPECT_EQ(receipt.take(), expected);
}

TEST(ReceiptLines, WhatBawnDoesNotCountIsUnlimited) {
  const Plan plan;
  Receipt receipt(plan);
  receipt.add_wall_time();
  receipt.add_output();
  const std::vector<Enforcement> expected = {
      {"limit.wall_time", LayerState::not_requested, "unlimited"},
      {"limit.output", LayerState::not_requested, "unlimited"}};
  EXPECT_EQ(receipt.take(), expected);
}

TEST(ReceiptLines, AnUnconfinedRunClaimsNoSandbox) {
  const Plan plan;
  Receipt receipt(plan);
  receipt.add_unconfined();
  const std::vector<Enforcement> expected = {
      {"sandbox", LayerState::not_requested, "the policy asks for a run without a sandbox"}};
  EXPECT_EQ(receipt.take(), expected);
}

}  // namespace
}  // namespace bawn
