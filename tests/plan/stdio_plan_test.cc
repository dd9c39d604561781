// The routes of a whole run, from facts about the caller's files.

#include "plan/stdio_plan.h"

#include <gtest/gtest.h>

#include "plan/plan_parts.h"

namespace bawn {
namespace {

using enum StdioRoute;

constexpr StdioWish kPass{.input_is_callers = true, .outputs_are_callers = true};

Plan plan_of_tier_c() {
  Plan plan{.tier = Tier::c};
  test::root_of(plan).mounts = {bind_op("/work", {.path = "/work"}, true, "workspace")};
  return plan;
}

StdioFacts file(std::string directory, std::string name) {
  return {.kind = StdioKind::regular,
          .reads = true,
          .writes = true,
          .directory = std::move(directory),
          .name = std::move(name),
          .can_be_handed_over = true};
}

CallerStdio files_in(const std::string& directory) {
  return {.files = {file(directory, "in"), file(directory, "out"), file(directory, "err")}};
}

StdioRoutes routes(const Plan& plan, const StdioWish& wish, const CallerStdio& callers) {
  const auto stdio = plan_stdio(plan, wish, callers);
  EXPECT_TRUE(stdio) << (stdio ? "" : stdio.error().message);
  return stdio ? stdio.value().routes : StdioRoutes{};
}

TEST(StdioPlan, HandsAFileOverThatTheCommandMayWriteToAnyway) {
  EXPECT_EQ(routes(plan_of_tier_c(), kPass, files_in("/work")),
            (StdioRoutes{host_file, writable, writable}));
  EXPECT_EQ(routes(plan_of_tier_c(), kPass, files_in("/srv")),
            (StdioRoutes{host_file, relayed, relayed}));
  CallerStdio locked = files_in("/work");
  locked.files[1].can_be_handed_over = false;
  EXPECT_EQ(routes(plan_of_tier_c(), kPass, locked), (StdioRoutes{host_file, relayed, writable}));
}

// The caller's descriptor leads to a mount that is not noexec.
TEST(StdioPlan, HandsNothingOverWhereProgramsAreListed) {
  Plan plan = plan_of_tier_c();
  plan.executables.emplace();
  EXPECT_EQ(routes(plan, kPass, files_in("/work")), (StdioRoutes{host_file, relayed, relayed}));
}

TEST(StdioPlan, RelaysWhatInitFailedToOpen) {
  StdioWish wish = kPass;
  wish.init_opens_files = false;
  EXPECT_EQ(routes(plan_of_tier_c(), wish, files_in("/srv"))[0], relayed);
}

TEST(StdioPlan, KeepsTheOrderOfTwoOutputsIntoOneFile) {
  CallerStdio callers = files_in("/srv");
  callers.outputs_share_an_end = true;
  EXPECT_EQ(routes(plan_of_tier_c(), kPass, callers),
            (StdioRoutes{host_file, relayed, with_stdout}));
  callers.files[1].directory = callers.files[2].directory = "/work";
  EXPECT_EQ(routes(plan_of_tier_c(), kPass, callers), (StdioRoutes{host_file, writable, writable}));
}

TEST(StdioPlan, HandsOverOneDescriptionOfInputAndOutputAsOne) {
  CallerStdio callers = files_in("/work");
  callers.is_stdin[1] = true;
  const auto stdio = plan_stdio(plan_of_tier_c(), kPass, callers);
  EXPECT_EQ(stdio.value().routes[0], writable);
  EXPECT_TRUE(stdio.value().shares_position);
  callers.files[0].reads = false;
  EXPECT_EQ(routes(plan_of_tier_c(), kPass, callers)[0], device)
      << "the caller cannot read it either";
}

TEST(StdioPlan, ReplacesAnUnreadableInputByTheNullDevice) {
  CallerStdio callers = files_in("/srv");
  callers.files[0].reads = false;
  const auto stdio = plan_stdio(plan_of_tier_c(), kPass, callers);
  EXPECT_EQ(stdio.value().routes[0], device);
  EXPECT_EQ(path_of(stdio.value().files[0]), "/dev/null");
}

TEST(StdioPlan, RefusesADirectoryByItsName) {
  for (const std::size_t fd : {0U, 1U, 2U}) {
    CallerStdio callers = files_in("/srv");
    callers.files[fd].kind = StdioKind::directory;
    const auto refused = plan_stdio(plan_of_tier_c(), kPass, callers);
    ASSERT_FALSE(refused) << fd;
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
    constexpr std::array kNames = {"stdin", "stdout", "stderr"};
    EXPECT_TRUE(refused.error().message.starts_with(kNames.at(fd))) << refused.error().message;
  }
}

TEST(StdioPlan, CapturesWithoutAnyFileOfTheCallers) {
  const CallerStdio none;
  EXPECT_EQ(routes(plan_of_tier_c(), {}, none), (StdioRoutes{device, captured, captured}));
  EXPECT_EQ(routes(plan_of_tier_c(), {.input_is_text = true}, none),
            (StdioRoutes{text, captured, captured}));
  EXPECT_EQ(routes(plan_of_tier_c(), {.input_is_pipe = true, .input_is_text = true}, none)[0],
            piped);
}

TEST(StdioPlan, PutsATerminalInThePlaceOfTheCallers) {
  Plan plan = plan_of_tier_c();
  plan.terminal = {.use = TerminalUse::own, .stdio = 0b011};
  const auto stdio = plan_stdio(plan, kPass, files_in("/work"));
  EXPECT_EQ(stdio.value().routes, (StdioRoutes{terminal, terminal, writable}));
  EXPECT_FALSE(stdio.value().captures_terminal);
  EXPECT_TRUE(plan_stdio(plan, {}, {}).value().captures_terminal);
  EXPECT_FALSE(uses_callers(1, kPass, plan.terminal));
  EXPECT_TRUE(uses_callers(2, kPass, plan.terminal));
  EXPECT_FALSE(uses_callers(2, {.input_is_callers = true}, plan.terminal));
}

}  // namespace
}  // namespace bawn
