#include "run/record/receipt_lines.h"

#include <gtest/gtest.h>

#include <functional>

namespace bawn {
namespace {

// Its parts are lines with their own names.
struct Receipt : ReceiptLines {
  explicit Receipt(const Plan& plan) : ReceiptLines(plan) {}
  void add_process() override { enforced("process", {}); }
  void add_confinement() override { enforced("confinement", {}); }
  void add_limits() override { limits(*this); }

  using ReceiptLines::add_limit;
  using ReceiptLines::add_open_network;
  using ReceiptLines::add_output;
  using ReceiptLines::add_wall_time;

  std::function<void(Receipt&)> limits = [](Receipt& receipt) { receipt.enforced("limits", {}); };
};

// The lines that `write` adds.
std::vector<Enforcement> lines_of(const Plan& plan, std::function<void(Receipt&)> write) {
  Receipt receipt(plan);
  receipt.limits = std::move(write);
  std::vector<Enforcement> lines = std::move(receipt).write();
  lines.erase(lines.begin(), lines.begin() + 2);
  return lines;
}

const Evidence kRlimit = {{"rlimit", "RLIMIT_DATA"}, {"value", 5}};

Enforcement memory_line(const Plan& plan, const Limit& limit) {
  return lines_of(
             plan,
             [&](Receipt& receipt) { receipt.add_limit("memory", "memory_bytes", limit, kRlimit); })
      .at(0);
}

std::vector<std::string> layers_of(Tier tier) {
  Plan plan;
  plan.tier = tier;
  std::vector<std::string> layers;
  for (const Enforcement& line : Receipt(plan).write()) layers.push_back(line.layer);
  return layers;
}

TEST(ReceiptLines, AreThoseOfTheProcessTheConfinementAndTheLimits) {
  const std::vector<std::string> confined = {"process", "confinement", "limits"};
  EXPECT_EQ(layers_of(Tier::b), confined);
  EXPECT_EQ(layers_of(Tier::c), confined);
}

TEST(ReceiptLines, AnUnconfinedRunClaimsNoSandbox) {
  EXPECT_EQ(layers_of(Tier::unconfined),
            (std::vector<std::string>{"process", "sandbox", "limits"}));
  Plan plan;
  plan.tier = Tier::unconfined;
  EXPECT_EQ(Receipt(plan).write().at(1),
            (Enforcement{"sandbox",
                         LayerState::not_requested,
                         {{"reason", "the policy asks for a run without a sandbox"}}}));
}

TEST(ReceiptLines, ALimitIsInForceIfItIsInThePlan) {
  const Enforcement enforced{"limit.memory", LayerState::enforced, kRlimit};
  EXPECT_EQ(memory_line({}, 5), enforced);
  EXPECT_EQ(memory_line({}, 0), enforced) << "nothing allowed is a limit too";
  EXPECT_EQ(memory_line({}, {}),
            (Enforcement{"limit.memory", LayerState::not_requested, {{"unlimited", true}}}));
}

TEST(ReceiptLines, ALimitThatTheHostLacksIsAbsentWhateverThePolicySays) {
  Plan plan;
  plan.absent_limits = {{"processes", "no pids"}, {"memory_bytes", "no controller"}};
  const Enforcement absent{"limit.memory", LayerState::absent, {{"reason", "no controller"}}};
  EXPECT_EQ(memory_line(plan, 5), absent);
  EXPECT_EQ(memory_line(plan, {}), absent);
}

// A limit that holds only for each process was once called enforced.
TEST(ReceiptLines, ALimitThatSomethingEscapesIsPartialAndSaysWhat) {
  Plan plan;
  plan.partial_limits = {{"memory_bytes", "shared memory is not counted"}};
  EXPECT_EQ(
      memory_line(plan, 5),
      (Enforcement{
          "limit.memory",
          LayerState::partial,
          {{"rlimit", "RLIMIT_DATA"}, {"value", 5}, {"escapes", "shared memory is not counted"}}}));
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
  const auto write = [](Receipt& receipt) {
    receipt.add_wall_time();
    receipt.add_output();
  };
  const std::vector<Enforcement> counted = {
      {"limit.wall_time", LayerState::enforced, {{"timer_ms", 5}}},
      {"limit.output", LayerState::enforced, {{"supervisor_bytes", 7}}}};
  EXPECT_EQ(lines_of(plan, write), counted);
  const std::vector<Enforcement> unlimited = {
      {"limit.wall_time", LayerState::not_requested, {{"unlimited", true}}},
      {"limit.output", LayerState::not_requested, {{"unlimited", true}}}};
  EXPECT_EQ(lines_of({}, write), unlimited);
}

TEST(ReceiptLines, AnOpenNetworkIsNotIsolated) {
  const std::vector<Enforcement> open = {
      {"network", LayerState::not_requested, {{"isolated", false}}}};
  EXPECT_EQ(lines_of({}, [](Receipt& receipt) { receipt.add_open_network(); }), open);
}

}  // namespace
}  // namespace bawn
