// A whole run as on macOS, on any Unix, with a sandbox-exec that confines nothing and records its
// arguments.
#include "backend/macos/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "backend/macos/fake_sandbox_exec.h"
#include "backend/macos/sbpl.h"
#include "backend/posix/live_run.h"
#include "backend/posix/scratch.h"
#include "base/text.h"
#include "host/system_facts.h"
#include "outcome/evidence_text.h"
#include "policy/preset.h"

namespace bawn::macos {
namespace {

using posix::read_text;
using posix::Scratch;
using posix::write_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

// The directories of one run, on a Mac that has the files of this machine.
class TestSetup {
 public:
  TestSetup() {
    std::filesystem::create_directories(workspace());
    std::filesystem::create_directories(own());
    host_.facts = macos_facts();
    host_.facts.private_parent = own();
    host_.sandbox_exec = fake_sandbox_exec();
    policy_ = *preset("workspace");
    policy_.limits.wall_time_ms = 60'000;
    set("BAWN_FAKE_SANDBOX_EXEC_RECORD", scratch_.file("record"));
  }

  Policy& policy() { return policy_; }
  Host& host() { return host_; }
  RunOptions& options() { return options_; }
  void set(const std::string& name, const std::string& value) {
    policy_.environment.set[name] = value;
  }
  [[nodiscard]] const Scratch& scratch() const { return scratch_; }
  [[nodiscard]] std::string workspace() const { return scratch_.file("work"); }
  [[nodiscard]] std::string own() const { return scratch_.file("private"); }

  Outcome run(const Request& request, int cancel_fd = -1) {
    options_.workspace = workspace();
    return macos::run(policy_, request, options_, host_, cancel_fd);
  }
  Outcome run(const std::string& script, int cancel_fd = -1) {
    return run(Request{.command = "sh", .args = {"-c", script}}, cancel_fd);
  }

  // The arguments that the fake got.
  [[nodiscard]] std::vector<std::string> words() const {
    const std::string record = read_text(scratch_.file("record"));
    std::vector<std::string> out;
    for (const std::string_view word : split(record, '\0')) out.emplace_back(word);
    if (!out.empty()) out.pop_back();  // the empty piece behind the last NUL
    return out;
  }

 private:
  Scratch scratch_;
  Policy policy_;
  RunOptions options_;
  Host host_;
};

const Enforcement* layer(const Outcome& outcome, std::string_view name) {
  for (const Enforcement& one : outcome.enforcement) {
    for (const EvidenceField& field : one.evidence)
      EXPECT_TRUE(field_text(one.layer, field)) << "no words: " << one.layer << " " << field.name;
    if (one.layer == name) return &one;
  }
  return nullptr;
}

Evidence evidence_of(const Outcome& outcome, std::string_view name) {
  const Enforcement* found = layer(outcome, name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? Evidence{} : found->evidence;
}

LayerState state_of(const Outcome& outcome, std::string_view name) {
  const Enforcement* found = layer(outcome, name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? LayerState::not_requested : found->state;
}

TEST(MacosRun, TellsSandboxExecProfileParametersAndCommand) {
  TestSetup setup;
  const Outcome outcome = setup.run("echo hello");
  EXPECT_EQ(outcome.stdout_stream.data, "hello\n") << outcome_json(outcome);
  EXPECT_EQ(outcome.executor, "macos.sandbox-exec");
  EXPECT_TRUE(outcome.was_sandboxed);
  const std::vector<std::string> words = setup.words();
  ASSERT_GT(words.size(), 8U);
  EXPECT_EQ(words[0], "sandbox-exec");
  EXPECT_EQ(words[1], "-p");
  SandboxProfile told{words[2], {}};
  std::size_t at = 3;
  for (; at + 1 < words.size() && words[at] == "-D"; at += 2) {
    const std::size_t equals = words[at + 1].find('=');
    told.parameters.push_back({words[at + 1].substr(0, equals), words[at + 1].substr(equals + 1)});
  }
  const std::vector<std::string> command(words.begin() + static_cast<std::ptrdiff_t>(at),
                                         words.end());
  EXPECT_THAT(command, ElementsAre("--", std::filesystem::canonical("/bin/sh").string(), "-c",
                                   "echo hello"));
  EXPECT_TRUE(allows(told, "file-write-data", setup.workspace() + "/x"));
  EXPECT_FALSE(allows(told, "file-read-data", setup.scratch().file("outside")));
}

TEST(MacosRun, RunsInTheWorkspaceWithAPrivateHomeThatGoesAfterwards) {
  TestSetup setup;
  const Outcome outcome = setup.run(
      "pwd; echo $HOME $TMPDIR; echo x > $HOME/file; mkdir -p $TMPDIR/a/b; echo y > note");
  EXPECT_THAT(outcome.stdout_stream.data,
              MatchesRegex(concat(setup.workspace(), "\n", setup.own(), "/bawn-[0-9A-Z]*/home ",
                                  setup.own(), "/bawn-[0-9A-Z]*/tmp\n")));
  EXPECT_TRUE(std::filesystem::is_empty(setup.own()));
  EXPECT_EQ(read_text(setup.workspace() + "/note"), "y\n");
}

TEST(MacosRun, APrivateWorkspaceIsTheWorkingDirectory) {
  TestSetup setup;
  setup.policy().workspace.mode = WorkspaceMode::private_dir;
  const Outcome outcome = setup.run("pwd; ls; touch x && echo made");
  EXPECT_THAT(outcome.stdout_stream.data, AllOf(HasSubstr(setup.own()), EndsWith("/work\nmade\n")));
}

TEST(MacosRun, TheCommandHasNothingOfTheCallersEnvironment) {
  ::setenv("BAWN_TEST_SECRET", "told", 1);
  TestSetup setup;
  const Outcome outcome = setup.run("/usr/bin/env");
  ::unsetenv("BAWN_TEST_SECRET");
  EXPECT_THAT(outcome.stdout_stream.data, HasSubstr("SANDBOX_RUNTIME=1\n"));
  EXPECT_THAT(outcome.stdout_stream.data, Not(HasSubstr("told")));
}

TEST(MacosRun, AProfileThatIsRefusedMeansThatNothingRan) {
  TestSetup setup;
  setup.set("BAWN_FAKE_SANDBOX_EXEC_REFUSE", "1");
  const Outcome outcome = setup.run("touch ran");
  EXPECT_EQ(outcome.status, Status::failed);
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->kind, FailureKind::spawn_failed);
  EXPECT_THAT(outcome.error->message, AllOf(HasSubstr("nothing ran"), HasSubstr("exited with 65"),
                                            HasSubstr("profile did not compile")));
  EXPECT_EQ(exit_code_of(outcome), 125);
  EXPECT_FALSE(outcome.was_sandboxed);
  EXPECT_THAT(outcome.enforcement, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(setup.workspace() + "/ran"));
  EXPECT_TRUE(std::filesystem::is_empty(setup.own()));
}

TEST(MacosRun, WithoutSandboxExecNothingRuns) {
  TestSetup setup;
  setup.host().sandbox_exec = "/no/such/sandbox-exec";
  const Outcome outcome = setup.run("touch ran");
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_THAT(outcome.error->message, HasSubstr("/no/such/sandbox-exec"));
  EXPECT_FALSE(std::filesystem::exists(setup.workspace() + "/ran"));
  EXPECT_TRUE(std::filesystem::is_empty(setup.own()));
}

TEST(MacosRun, AHostWithoutSandboxExecHasNoTierC) {
  TestSetup setup;
  setup.host().facts.tier_c = false;
  setup.host().facts.tier_c_reason = "there is none";
  const Outcome outcome = setup.run("touch ran");
  EXPECT_EQ(outcome.status, Status::denied);
  ASSERT_FALSE(outcome.violations.empty());
  EXPECT_EQ(outcome.violations.front().code, "tier.unavailable");
  EXPECT_FALSE(std::filesystem::exists(setup.workspace() + "/ran"));
}

TEST(MacosRun, TheReceiptSaysWhatHoldsAndWhatDoesNot) {
  TestSetup setup;
  setup.policy().limits.open_files = 64;
  setup.policy().limits.memory_bytes = 1U << 28;
  setup.policy().limits.tmp_bytes = 1U << 20;
  setup.policy().limits.optional = {"memory_bytes", "tmp_bytes"};
  const Outcome outcome = setup.run("ulimit -n");
  EXPECT_EQ(outcome.stdout_stream.data, "64\n");
  for (const char* name : {"profile", "files", "network", "unix_sockets", "services", "session",
                           "open_files", "limit.wall_time", "limit.open_files", "limit.core"}) {
    EXPECT_EQ(state_of(outcome, name), LayerState::enforced) << name;
  }
  for (const char* name : {"process_tree", "limit.memory", "limit.tmp"})
    EXPECT_EQ(state_of(outcome, name), LayerState::absent) << name;
  EXPECT_EQ(evidence_of(outcome, "process_tree").at(0), EvidenceField("best_effort", true));
  EXPECT_EQ(evidence_of(outcome, "limit.open_files"),
            (Evidence{{"rlimit", "RLIMIT_NOFILE"}, {"value", 64}}));
  EXPECT_EQ(evidence_of(outcome, "session"), (Evidence{{"own", true}, {"leader", "command"}}));
  EXPECT_EQ(evidence_of(outcome, "open_files"),
            (Evidence{{"inherited", std::vector<std::string>{"stdin", "stdout", "stderr"}}}));
  EXPECT_EQ(evidence_of(outcome, "unix_sockets"),
            (Evidence{{"by", "profile"}, {"allowed", "writable_paths"}}));
  EXPECT_EQ(evidence_of(outcome, "services"),
            (Evidence{{"allowed", std::vector<std::string>{"users_and_groups"}}}));
  EXPECT_EQ(evidence_of(outcome, "network"),
            (Evidence{{"isolated", true}, {"by", "profile"}, {"reachable", "nothing"}}));
  EXPECT_EQ(state_of(outcome, "limit.processes"), LayerState::not_requested);
}

TEST(MacosRun, TheReceiptOfAnOpenNetworkSaysSo) {
  TestSetup setup;
  setup.policy().egress.mode = EgressMode::allow_all;
  EXPECT_EQ(state_of(setup.run("true"), "network"), LayerState::not_requested);
  setup.policy().egress.mode = EgressMode::block_all;
  setup.policy().macos.loopback = true;
  const Outcome outcome = setup.run("true");
  EXPECT_EQ(evidence_of(outcome, "network"),
            (Evidence{{"isolated", true}, {"by", "profile"}, {"reachable", "host_loopback"}}));
}

TEST(MacosRun, TierBRunsTheCommandItselfAndSaysWhatIsNotEnforced) {
  TestSetup setup;
  setup.policy().tier = {TierChoice::b, Tier::b};
  setup.policy().egress.mode = EgressMode::allow_all;
  const Outcome outcome = setup.run("echo $0");
  EXPECT_EQ(outcome.stdout_stream.data, "sh\n") << "by the name it was called by";
  EXPECT_THAT(setup.words(), IsEmpty()) << "no sandbox-exec";
  EXPECT_EQ(outcome.executor, "macos.spawn");
  for (const char* name : {"files", "unix_sockets", "services"})
    EXPECT_EQ(state_of(outcome, name), LayerState::absent) << name;
  EXPECT_EQ(layer(outcome, "profile"), nullptr);
}

TEST(MacosRun, EndsAtTheDeadlineWithEverythingItStarted) {
  TestSetup setup;
  setup.policy().limits.wall_time_ms = 300;
  const Outcome outcome = setup.run("sleep 600 & echo $! > left; wait");
  EXPECT_EQ(outcome.status, Status::timed_out);
  EXPECT_EQ(outcome.limit, "wall_time");
  EXPECT_EQ(evidence_of(outcome, "process_tree").back(), EvidenceField("tree_gone", true));
  EXPECT_FALSE(posix::is_alive(
      static_cast<pid_t>(std::atoi(read_text(setup.workspace() + "/left").c_str()))));
}

TEST(MacosRun, AnExitAndASignalAreToldAsTheyAre) {
  TestSetup setup;
  const Outcome exited = setup.run("exit 7");
  EXPECT_EQ(exited.status, Status::exited);
  EXPECT_EQ(exited.exit_code, 7);
  EXPECT_FALSE(exited.run_id.empty());
  const Outcome signaled = setup.run("kill -TERM $$");
  EXPECT_EQ(signaled.status, Status::signaled);
  EXPECT_EQ(exit_code_of(signaled), 128 + 15);
}

TEST(MacosRun, AFileThatGrewTooLargeIsTheReasonThatIsGivenForTheSignal) {
  TestSetup setup;
  setup.policy().limits.file_bytes = 1 << 20;  // also holds for the file that the fake writes
  const Outcome outcome = setup.run("exec head -c 3000000 /dev/zero > big");
  EXPECT_EQ(outcome.status, Status::signaled) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "");
  ASSERT_TRUE(outcome.error);
  EXPECT_NE(outcome.error->message.find("file-size limit of 1048576 bytes may have been reached"),
            std::string::npos);
}

TEST(MacosRun, TooMuchOutputEndsTheRunAndIsCounted) {
  TestSetup setup;
  setup.policy().limits.output_bytes = 1000;
  const Outcome outcome = setup.run("yes");
  EXPECT_EQ(outcome.limit, "output");
  EXPECT_TRUE(outcome.truncated);
  EXPECT_LE(outcome.stdout_stream.data.size(), 1000U);
}

TEST(MacosRun, SecretsOfThePolicyAreRemovedAndStdinIsTheRequests) {
  TestSetup setup;
  setup.set("API_TOKEN", "k4fh27dfh2-whole-secret");
  const Outcome outcome = setup.run(
      Request{.command = "sh", .args = {"-c", "echo $API_TOKEN; cat"}, .stdin_text = "typed"});
  EXPECT_THAT(outcome.stdout_stream.data, AllOf(Not(HasSubstr("whole-secret")), EndsWith("typed")));
  EXPECT_FALSE(outcome.redactions.empty());
}

TEST(MacosRun, ADenialNamesEveryReasonAndRunsNothing) {
  TestSetup setup;
  setup.policy().executables.allow_all = false;
  setup.policy().executables.allow = {"true"};
  setup.policy().limits.memory_bytes = 1U << 28;
  const Outcome outcome = setup.run("touch ran");
  EXPECT_EQ(outcome.status, Status::denied);
  EXPECT_FALSE(outcome.run_id.empty());
  ASSERT_FALSE(outcome.violations.empty());
  EXPECT_EQ(outcome.violations.front().code, "executable.not_allowed");
  EXPECT_FALSE(std::filesystem::exists(setup.workspace() + "/ran"));
}

TEST(MacosRun, AMemoryLimitThatCannotBeEnforcedIsRefused) {
  TestSetup setup;
  setup.policy().limits.memory_bytes = 1U << 28;
  const Outcome outcome = setup.run("true");
  ASSERT_FALSE(outcome.violations.empty());
  EXPECT_EQ(outcome.violations.front().code, "limit.unenforceable");
}

TEST(MacosRun, WhatIsNoProgramIsTheCallersMistakeInTierB) {
  TestSetup setup;
  setup.policy().tier = {TierChoice::b, Tier::b};
  setup.policy().egress.mode = EgressMode::allow_all;
  setup.policy().executables.from_workspace = true;
  write_text(setup.workspace() + "/broken",
             "\x7f"
             "ELF, and nothing behind it");
  ASSERT_EQ(::chmod((setup.workspace() + "/broken").c_str(), 0755), 0);
  const Outcome outcome = setup.run(Request{.command = setup.workspace() + "/broken"});
  EXPECT_EQ(outcome.status, Status::denied) << outcome_json(outcome);
  ASSERT_FALSE(outcome.violations.empty());
  EXPECT_EQ(outcome.violations.front().code, "executable.not_executable");
}

TEST(MacosRun, WhatWasCreatedUnderAProtectedNameIsTold) {
  TestSetup setup;
  std::filesystem::create_directories(setup.workspace() + "/.git");
  setup.policy().workspace.protect = {".git/hooks"};
  const Outcome outcome = setup.run("mkdir .git/hooks");  // the fake does not refuse it
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations.front().code, "workspace.protected_created");
}

TEST(MacosRun, IsCancelledThroughAFile) {
  TestSetup setup;
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  const Outcome outcome = setup.run("sleep 600", ends[0]);
  EXPECT_EQ(outcome.status, Status::cancelled);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(MacosRun, TimingNamesTheSteps) {
  TestSetup setup;
  setup.options().timing = true;
  const Outcome outcome = setup.run("true");
  std::vector<std::string> steps;
  for (const TimedStep& step : outcome.timing) steps.push_back(step.step);
  EXPECT_THAT(
      steps, ElementsAre("probe", "validate", "plan", "launch", "command", "tree_gone", "outcome"));
}

TEST(MacosLaunch, StartsTheFileThatWasJudgedOrNothing) {
  TestSetup setup;
  Request request{.command = "sh", .args = {"-c", "touch ran"}};
  PlanPreview preview =
      plan_only(setup.policy(), request, {.workspace = setup.workspace()}, setup.host());
  ASSERT_TRUE(preview.checked.allowed());
  const std::array<int, 3> stdio = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  for (Located* judged : {&preview.plan.program.file, &preview.plan.cwd}) {
    ++judged->inode;
    const auto launched = launch(preview.plan, stdio, setup.host().sandbox_exec);
    ASSERT_FALSE(launched);
    EXPECT_THAT(launched.error().message, HasSubstr("judged"));
    EXPECT_TRUE(std::filesystem::is_empty(setup.own()));
    --judged->inode;
  }
  EXPECT_FALSE(std::filesystem::exists(setup.workspace() + "/ran"));
  auto launched = launch(preview.plan, stdio, setup.host().sandbox_exec);
  ASSERT_TRUE(launched) << launched.error().message;
  ASSERT_TRUE(posix::supervise(std::move(launched.value().process), Limits{}));
  EXPECT_TRUE(std::filesystem::exists(setup.workspace() + "/ran"));
}

TEST(MacosPlanOnly, SaysWhatARunWouldDoAndDoesNothing) {
  TestSetup setup;
  Request request{.command = "sh", .args = {"-c", "touch ran"}};
  RunOptions options{.workspace = setup.workspace()};
  const PlanPreview preview = plan_only(setup.policy(), request, options, setup.host());
  EXPECT_TRUE(preview.checked.allowed());
  EXPECT_EQ(preview.checked.tier, Tier::c);
  EXPECT_EQ(preview.plan.boundary(), Boundary::profile);
  EXPECT_EQ(preview.plan.private_name, "bawn-<run-id>");
  EXPECT_FALSE(std::filesystem::exists(setup.workspace() + "/ran"));
  EXPECT_TRUE(std::filesystem::is_empty(setup.own()));
}

}  // namespace
}  // namespace bawn::macos
