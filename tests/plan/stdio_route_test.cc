// How each kind of file reaches the command, in each tier.

#include "plan/stdio_route.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace bawn {
namespace {

using enum StdioRoute;

StdioFacts facts_of(StdioKind kind) {
  return {.kind = kind,
          .reads = true,
          .writes = true,
          .directory = "/d",
          .name = "f",
          .inode = 1,
          .opens_anew = true};
}

struct RouteRow {
  StdioKind kind;
  StdioRoute input_b, input_c;
  StdioRoute output_b, output_c;
};

const RouteRow kRouteRows[] = {
    {StdioKind::regular, relayed, host_file, relayed, relayed},
    {StdioKind::pipe, relayed, relayed, relayed, relayed},
    {StdioKind::stream_socket, relayed, relayed, relayed, relayed},
    {StdioKind::terminal, relayed, relayed, relayed, relayed},
    {StdioKind::plain_device, reopened, StdioRoute::device, reopened, StdioRoute::device},
    {StdioKind::device, relayed, relayed, relayed, relayed},
};

TEST(StdioRoute, DependsOnTheKindOfFileAndTheTier) {
  for (const RouteRow& row : kRouteRows) {
    const StdioFacts facts = facts_of(row.kind);
    const int kind = static_cast<int>(row.kind);
    EXPECT_EQ(route_input(facts, {.tier = Tier::b}).value(), row.input_b) << kind;
    EXPECT_EQ(route_input(facts, {.tier = Tier::c}).value(), row.input_c) << kind;
    EXPECT_EQ(route_output("stdout", facts, {.tier = Tier::b}).value(), row.output_b) << kind;
    EXPECT_EQ(route_output("stdout", facts, {.tier = Tier::c}).value(), row.output_c) << kind;
  }
}

TEST(StdioRoute, OfAConfinedCommandIsNeverTheCallersOwnFile) {
  for (const RouteRow& row : kRouteRows) {
    for (const Tier tier : {Tier::b, Tier::c}) {
      EXPECT_NE(route_input(facts_of(row.kind), {.tier = tier}).value(), callers);
      EXPECT_NE(route_output("stdout", facts_of(row.kind), {.tier = tier}).value(), callers);
    }
    EXPECT_EQ(route_input(facts_of(row.kind), {.tier = Tier::unconfined}).value(), callers)
        << "the control";
    EXPECT_EQ(route_output("stdout", facts_of(row.kind), {.tier = Tier::unconfined}).value(),
              callers);
  }
}

TEST(StdioRoute, OfOutputToAFileThatTheCommandMayWriteToAnywayIsTheCallersDescription) {
  const StdioFacts file = facts_of(StdioKind::regular);
  for (const Tier tier : {Tier::b, Tier::c}) {
    EXPECT_EQ(route_output("stdout", file, {.tier = tier, .hands_over = true}).value(), writable);
    EXPECT_EQ(route_output("stdout", file, {.tier = tier, .through_bawn = true, .hands_over = true})
                  .value(),
              relayed);
    for (const StdioKind kind : {StdioKind::pipe, StdioKind::stream_socket, StdioKind::terminal})
      EXPECT_EQ(route_output("stdout", facts_of(kind), {.tier = tier, .hands_over = true}).value(),
                relayed);
  }
}

TEST(StdioRoute, RefusesFilesThatLeadFurtherThanTheirBytes) {
  for (const StdioKind kind : {StdioKind::directory, StdioKind::other}) {
    for (const Tier tier : {Tier::b, Tier::c}) {
      EXPECT_FALSE(route_input(facts_of(kind), {.tier = tier}));
      const auto refused =
          route_output("stderr", facts_of(kind), {.tier = tier, .through_bawn = true});
      ASSERT_FALSE(refused);
      EXPECT_THAT(refused.error().message, testing::StartsWith("stderr is "));
    }
  }
}

TEST(StdioRoute, OfAFileWithoutANameOrWhereInitCannotOpenItIsARelay) {
  StdioFacts facts = facts_of(StdioKind::regular);
  EXPECT_EQ(route_input(facts, {.tier = Tier::c, .init_opens_files = false}).value(), relayed);
  facts.name = "";
  EXPECT_EQ(route_input(facts, {.tier = Tier::c}).value(), relayed);
}

TEST(StdioRoute, OfADeviceOfTheUsersOwnReachesTheHostsNodeInNoTier) {
  StdioFacts facts = facts_of(StdioKind::plain_device);
  facts.owned = true;
  EXPECT_EQ(route_input(facts, {.tier = Tier::b}).value(), relayed);
  EXPECT_EQ(route_output("stdout", facts, {.tier = Tier::b}).value(), relayed);
  facts.is_null = true;
  EXPECT_EQ(route_input(facts, {.tier = Tier::b}).value(), empty);
  EXPECT_EQ(route_input(facts, {.tier = Tier::c}).value(), StdioRoute::device);
}

TEST(StdioRoute, OfADeviceThatCannotBeOpenedAnewIsARelay) {
  StdioFacts device = facts_of(StdioKind::plain_device);
  EXPECT_EQ(route_output("stdout", device, {.tier = Tier::b}).value(), reopened);
  device.opens_anew = false;
  EXPECT_EQ(route_output("stdout", device, {.tier = Tier::b}).value(), relayed);
  EXPECT_EQ(route_output("stdout", device, {.tier = Tier::c}).value(), StdioRoute::device);
}

TEST(StdioRoute, GivesNoMoreAccessThanTheCallerHas) {
  StdioFacts facts = facts_of(StdioKind::pipe);
  facts.writes = false;
  EXPECT_FALSE(route_output("stdout", facts, {.tier = Tier::c}));
  facts = facts_of(StdioKind::pipe);
  facts.reads = false;
  EXPECT_EQ(route_input(facts, {.tier = Tier::c}).value(), StdioRoute::device) << "the null device";
}

TEST(StdioRoute, CountsOutputThatIsLimited) {
  for (const RouteRow& row : kRouteRows) {
    for (const Tier tier : {Tier::unconfined, Tier::b, Tier::c})
      EXPECT_EQ(
          route_output("stdout", facts_of(row.kind), {.tier = tier, .through_bawn = true}).value(),
          relayed);
  }
}

TEST(StdioRoute, HasAName) {
  std::set<std::string_view> names;
  for (int route = 0; route <= static_cast<int>(empty); ++route)
    names.insert(to_string(static_cast<StdioRoute>(route)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(empty) + 1) << "each has its own";
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_EQ(to_string(host_file), "host_file");
  EXPECT_EQ(to_string(relayed), "relayed");
  EXPECT_EQ(to_string(with_stdout), "with_stdout");
}

}  // namespace
}  // namespace bawn
