#include "outcome/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outcome/denial.h"

namespace bawn {
namespace {

Outcome with_status(Status status) {
  Outcome outcome;
  outcome.status = status;
  return outcome;
}

TEST(RenderDenial, ShowsEachViolationWithItsHint) {
  const Outcome outcome =
      denied_outcome("r", {{"executable.not_allowed", "curl", "'curl' is not on the allow list",
                            "add it to executables.allow"},
                           {"path.outside_scope", "/x", "'/x' is outside", ""}});
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: denied: 'curl' is not on the allow list\n"
            "  hint: add it to executables.allow\n"
            "bawn: denied: '/x' is outside\n");
}

TEST(RenderDenial, ColoursTheVerdictAndDimsTheHint) {
  const Outcome outcome = denied_outcome("r", {{"a.b", "s", "no", "do"}});
  EXPECT_EQ(render_denial(outcome, Colour::on),
            "\x1b[1mbawn:\x1b[0m \x1b[1;31mdenied\x1b[0m: no\n  \x1b[2mhint: do\x1b[0m\n");
}

TEST(RenderDenial, StopsBeforeItFloodsTheTerminal) {
  const Outcome outcome = denied_outcome("r", Violations(40, Violation{"a.b", "s", "no", ""}));
  const std::string text = render_denial(outcome, Colour::off);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 13);
  EXPECT_TRUE(text.ends_with("  and: 28 more\n")) << text;
}

TEST(RenderDenial, ShowsAFailureWithItsStep) {
  EXPECT_EQ(
      render_denial(failed_outcome("r", FailureKind::spawn_failed, "it broke", "mount", "mend it"),
                    Colour::off),
      "bawn: failed: it broke\n  step: mount\n  hint: mend it\n");
  EXPECT_EQ(render_denial(with_status(Status::failed), Colour::off), "bawn: failed\n");
  EXPECT_EQ(render_denial(with_status(Status::denied), Colour::off), "bawn: denied\n");
  EXPECT_EQ(render_denial(with_status(Status::cancelled), Colour::off), "bawn: cancelled\n");
}

TEST(RenderDenial, NamesTheLimitThatEndedTheRun) {
  Outcome outcome = with_status(Status::timed_out);
  outcome.duration_ms = 30049;
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: stopped: the wall-time limit was reached after 30.0 s\n");
  outcome.status = Status::quota_exceeded;
  outcome.limit = "output";
  outcome.duration_ms = 250;
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: stopped: the output limit was reached after 250 ms\n");
  outcome.limit = "sheep";
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: stopped: the limit 'sheep' was reached after 250 ms\n");
  outcome.limit = "";
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: stopped: a limit was reached after 250 ms\n");
  outcome.error = Failure{FailureKind::quota_exceeded, "wrote more than 64 KiB", "",
                          "raise limits.output_bytes"};
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: stopped: wrote more than 64 KiB\n  hint: raise limits.output_bytes\n");
}

TEST(RenderDenial, IsSilentAboutACommandThatEndedByItself) {
  Outcome outcome = with_status(Status::exited);
  outcome.exit_code = 0;
  EXPECT_EQ(render_denial(outcome, Colour::on), "");
  outcome.exit_code = 3;
  EXPECT_EQ(render_denial(outcome, Colour::on), "");
  outcome.status = Status::signaled;
  EXPECT_EQ(render_denial(outcome, Colour::on), "");
  outcome.status = Status::running;
  EXPECT_EQ(render_denial(outcome, Colour::on), "");
}

TEST(RenderDenial, TellsWhichLimitACommandMetThatFailedByItself) {
  Outcome outcome = with_status(Status::exited);
  outcome.exit_code = 1;
  outcome.limit = "processes";
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: limit reached: the command failed after the process limit had refused it "
            "something\n");
  outcome.limit_hint = "try --pids 10 (policy key: limits.processes)";
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: limit reached: the command failed after the process limit had refused it "
            "something\n  hint: try --pids 10 (policy key: limits.processes)\n");
}

TEST(RenderDenial, DoesNotCallAProgramDeniedThatIsMissingOrNotExecutable) {
  Outcome outcome = denied_outcome(
      "", {{"executable.not_found", "curl", "there is no program 'curl'", ""},
           {"executable.not_executable", "x", "'x' cannot be executed: it is a directory", ""},
           {"executable.not_allowed", "y", "'y' is not on the policy's list of programs", ""}});
  EXPECT_EQ(render_denial(outcome, Colour::off),
            "bawn: not found: 'curl'\n"
            "bawn: cannot execute: 'x': it is a directory\n"
            "bawn: denied: 'y' is not on the policy's list of programs\n");
}

// A protected name that does not exist cannot be blocked without leaving something in the
// workspace, so bawn reports its creation. Once only the JSON outcome did: a user of `bawn run
// --protect .envrc` saw nothing, and exit code 0.
TEST(RenderDenial, TellsWhatTheCommandMadeOfProtectedNamesHoweverItEnded) {
  const std::string changed =
      "bawn: changed: the command created '/w/.envrc'\n  hint: look at it\n";
  for (const Status status : {Status::exited, Status::signaled, Status::timed_out,
                              Status::quota_exceeded, Status::failed, Status::cancelled}) {
    Outcome outcome = with_status(status);
    const std::string before = render_denial(outcome, Colour::off);
    outcome.violations = {{"workspace.protected_created", "/w/.envrc",
                           "the command created '/w/.envrc'", "look at it"}};
    EXPECT_EQ(render_denial(outcome, Colour::off), before + changed) << to_string(status);
  }
}

std::string handoff_line(std::vector<Handoff> handoff) {
  Outcome outcome = with_status(Status::exited);
  outcome.handoff = std::move(handoff);
  return render_handoff(outcome);
}

TEST(RenderHandoff, IsOneLineThatNamesTheFiles) {
  const Handoff envrc{".envrc", "", "direnv", "runs a script", HandoffChange::is_new};
  const Handoff alias{".git/config", "alias.x", "git", "runs a command", HandoffChange::changed};
  EXPECT_EQ(handoff_line({envrc}),
            "bawn: 1 file that other programs obey was written: .envrc (direnv); --json tells "
            "more\n");
  EXPECT_EQ(handoff_line({envrc, alias, alias}),
            "bawn: 2 files that other programs obey were written: .envrc (direnv), .git/config "
            "alias.x (git), .git/config alias.x (git); --json tells more\n");
  EXPECT_THAT(handoff_line({envrc, envrc, envrc, envrc, alias, alias}),
              testing::HasSubstr("(direnv), and 2 more; --json"));
}

TEST(RenderHandoff, HasNoControlCharacters) {
  const Handoff file{".husky/a\nb\x1b[2J\u202e", "", "git", "", HandoffChange::is_new};
  EXPECT_THAT(handoff_line({file}), testing::HasSubstr(".husky/a\\x0ab\\x1b[2J\\u202e (git)"));
}

TEST(RenderHandoff, IsEmptyIfThereIsNothingToTell) {
  EXPECT_EQ(render_handoff(with_status(Status::exited)), "");
  EXPECT_EQ(handoff_line({}), "");
}

TEST(RenderHandoff, CountsThePlacesThatWereNotLookedAt) {
  const Handoff envrc{".envrc", "", "direnv", "runs a script", HandoffChange::is_new};
  const Handoff missed{"x", "", "", "too many", HandoffChange::not_looked_at};
  EXPECT_THAT(handoff_line({missed, envrc}),
              testing::EndsWith(".envrc (direnv); 1 place was not looked at; --json tells more\n"));
  EXPECT_THAT(handoff_line({envrc, missed, missed}),
              testing::HasSubstr("; 2 places were not looked at;"));
  EXPECT_EQ(handoff_line({missed}),
            "bawn: files that other programs obey may have been written: 1 place was not looked "
            "at; --json tells more\n");
}

TEST(RenderTiming, IsATableWithASumIfStepsWereMeasured) {
  Outcome outcome = with_status(Status::exited);
  EXPECT_EQ(render_timing(outcome), "");
  outcome.timing = {
      {"probe", 7}, {"clone", 123'456}, {"command", 1'000'000'000}, {"\x1b[2J", 1000}};
  EXPECT_EQ(render_timing(outcome),
            "bawn: timing in nanoseconds\n"
            "                7  probe\n"
            "          123'456  clone\n"
            "    1'000'000'000  command\n"
            "            1'000  \\x1b[2J\n"
            "    1'000'124'463  in all\n");
}

TEST(RenderReceipt, IsOneLineForEachLayer) {
  Outcome outcome = with_status(Status::exited);
  outcome.enforcement = {{"landlock", LayerState::enforced, {{"abi", 6}, {"grants", 3}}},
                         {"namespaces", LayerState::not_requested, {{"reason", "none\x1b[2J\n"}}},
                         {"landlock.abstract_sockets", LayerState::absent, {{"reason", "old"}}},
                         {"limit.cpu_percent", LayerState::partial, {}}};
  EXPECT_EQ(render_receipt(outcome),
            "bawn: receipt\n"
            "  enforced       landlock              ABI 6, 3 grants\n"
            "  not_requested  namespaces            none\\x1b[2J\\x0a\n"
            "  absent         landlock.abstract_sockets  old\n"
            "  partial        limit.cpu_percent\n");
}

TEST(RenderReceipt, SaysThatThereIsNoneIfNothingRan) {
  EXPECT_EQ(render_receipt(with_status(Status::denied)),
            "bawn: receipt: nothing ran, so nothing was in force\n");
}

TEST(RenderDenial, LetsNoControlByteThrough) {
  const std::string hostile =
      std::string("\x1b]0;x\x07\r\n\x7f\xc2\x9b\xff\0", 13) + " caf\xc3\xa9";
  Outcome outcome = denied_outcome("r", {{hostile, hostile, hostile, hostile}});
  const std::string text = render_denial(outcome, Colour::off);
  EXPECT_NE(text.find("\\x1b]0;x\\x07\\x0d\\x0a\\x7f\\u009b\\xff\\x00 caf\xc3\xa9"),
            std::string::npos)
      << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  outcome.violations.clear();
  outcome.status = Status::quota_exceeded;
  outcome.error.reset();
  outcome.limit = hostile;
  EXPECT_EQ(render_denial(outcome, Colour::off).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace bawn
