// The whole way of a run on macOS, on any Unix, with a sandbox-exec that confines nothing and writes down what it is told.
#include "macos/run_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/text.h"
#include "host/system_facts.h"
#include "macos/sbpl.h"
#include "policy/preset.h"
#include "posix/scratch.h"
#include "validate/fake_lookup.h"

namespace bawn::macos {
namespace {

using posix::read_text;
using posix::Scratch;
using posix::write_text;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string stand_in() {
  const char* path = std::getenv("BAWN_STAND_IN");
  if (path == nullptr) throw std::runtime_error("BAWN_STAND_IN is not set");
  return path;
}

// What is made for one run, planned as on a Mac whose only shell is /bin/sh.
class Scene {
 public:
  Scene() {
    std::filesystem::create_directories(scratch_.file("work"));
    std::filesystem::create_directories(scratch_.file("private"));
    policy_ = *preset("workspace");
    policy_.limits.wall_time_ms = 60'000;
    set("BAWN_STAND_IN_RECORD", scratch_.file("record"));
  }

  Policy& policy() { return policy_; }
  void set(const std::string& name, const std::string& value) { policy_.environment.set[name] = value; }
  [[nodiscard]] const Scratch& scratch() const { return scratch_; }
  [[nodiscard]] std::string workspace() const { return scratch_.file("work"); }

  [[nodiscard]] Plan plan(const std::vector<std::string>& args) const {
    const FakeLookup lookup({{"/bin/sh", "exe"}, {workspace(), "dir"}, {scratch_.file("private"), "dir"}});
    HostFacts host = macos_facts();
    host.private_parent = scratch_.file("private");
    const Request request{.command = "sh", .args = args};
    const auto tier = choose_tier(policy_, host);
    const Tier chosen = std::get<Tier>(tier);
    const bool own = policy_.workspace.mode == WorkspaceMode::private_dir;
    const Verdict verdict =
        validate(policy_, request, {.tier = chosen, .lookup = &lookup, .workspace = own ? "" : workspace()});
    EXPECT_TRUE(verdict.allowed());
    Planned planned =
        plan_run(policy_, request, verdict, chosen, {.run_id = "r", .private_name = "bawn-r"}, host, lookup);
    EXPECT_THAT(planned.violations, IsEmpty());
    return std::move(planned.plan);
  }

  [[nodiscard]] Result<Ran> try_run(const std::vector<std::string>& args) const {
    const Plan plan = this->plan(args);
    const RunOrder order{.plan = &plan,
                         .pump = posix::PumpOptions{.stdout_sink = {.kind = posix::SinkKind::capture},
                                                    .stderr_sink = {.kind = posix::SinkKind::capture},
                                                    .stdin_text = "",
                                                    .output_bytes = policy_.limits.output_bytes},
                         .sandbox_exec = sandbox_exec_};
    return run_plan(order);
  }

  [[nodiscard]] Ran run(const std::string& script) const {
    auto ran = try_run({"-c", script});
    if (!ran) throw std::runtime_error(ran.error().message);
    return std::move(ran).value();
  }

  void use_sandbox_exec(std::string path) { sandbox_exec_ = std::move(path); }

  // The words that the stand-in got.
  [[nodiscard]] std::vector<std::string> words() const {
    const std::string record = read_text(scratch_.file("record"));
    std::vector<std::string> out;
    for (const std::string_view word : split(record, '\0')) out.emplace_back(word);
    if (!out.empty()) out.pop_back();  // behind the last NUL
    return out;
  }

 private:
  Scratch scratch_;
  Policy policy_;
  std::string sandbox_exec_ = stand_in();
};

const Enforcement* layer(const Ran& ran, std::string_view name) {
  for (const Enforcement& one : ran.receipt) {
    if (one.layer == name) return &one;
  }
  return nullptr;
}

LayerState state_of(const Ran& ran, std::string_view name) {
  const Enforcement* found = layer(ran, name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? LayerState::not_requested : found->state;
}

TEST(MacosRun, TellsSandboxExecProfileParametersAndCommand) {
  const Scene scene;
  const Ran ran = scene.run("echo hello");
  EXPECT_EQ(ran.output.stdout_stream.kept, "hello\n");
  EXPECT_EQ(ran.refusal, "");
  const std::vector<std::string> words = scene.words();
  ASSERT_GT(words.size(), 8U);
  EXPECT_EQ(words[0], "sandbox-exec");
  EXPECT_EQ(words[1], "-p");
  SandboxProfile told{words[2], {}};
  std::size_t at = 3;
  for (; at + 1 < words.size() && words[at] == "-D"; at += 2) {
    const std::size_t equals = words[at + 1].find('=');
    told.parameters.push_back({words[at + 1].substr(0, equals), words[at + 1].substr(equals + 1)});
  }
  EXPECT_THAT(std::vector<std::string>(words.begin() + static_cast<std::ptrdiff_t>(at), words.end()),
              ElementsAre("--", "/bin/sh", "-c", "echo hello"));
  EXPECT_TRUE(allows(told, "file-write-data", scene.workspace() + "/x"));
  EXPECT_FALSE(allows(told, "file-read-data", scene.scratch().file("outside")));
  const SandboxProfile planned = make_profile(scene.plan({"-c", "echo hello"}));
  EXPECT_EQ(told.text, planned.text);
  EXPECT_EQ(told.parameters, planned.parameters);
}

TEST(MacosRun, RunsInTheWorkspaceWithAPrivateHomeThatGoesAfterwards) {
  const Scene scene;
  const Ran ran =
      scene.run("pwd; echo $HOME $TMPDIR; echo x > $HOME/file; mkdir -p $TMPDIR/a/b; echo y > note");
  const std::string own = scene.scratch().file("private/bawn-r");
  EXPECT_EQ(ran.output.stdout_stream.kept, concat(scene.workspace(), "\n", own, "/home ", own, "/tmp\n"));
  EXPECT_FALSE(std::filesystem::exists(own));
  EXPECT_TRUE(std::filesystem::is_empty(scene.scratch().file("private")));
  EXPECT_EQ(read_text(scene.workspace() + "/note"), "y\n");
}

TEST(MacosRun, APrivateWorkspaceIsTheWorkingDirectory) {
  Scene scene;
  scene.policy().workspace.mode = WorkspaceMode::private_dir;
  const Ran ran = scene.run("pwd; ls; touch x && echo made");
  EXPECT_EQ(ran.output.stdout_stream.kept, concat(scene.scratch().file("private/bawn-r/work"), "\nmade\n"));
}

TEST(MacosRun, TheCommandHasNothingOfTheCallersEnvironment) {
  ::setenv("BAWN_TEST_SECRET", "told", 1);
  const Scene scene;
  const Ran ran = scene.run("/usr/bin/env");
  ::unsetenv("BAWN_TEST_SECRET");
  EXPECT_THAT(ran.output.stdout_stream.kept, HasSubstr("SANDBOX_RUNTIME=1\n"));
  EXPECT_THAT(ran.output.stdout_stream.kept, Not(HasSubstr("told")));
}

TEST(MacosRun, AProfileThatIsRefusedMeansThatNothingRan) {
  Scene scene;
  scene.set("BAWN_STAND_IN_REFUSE", "1");
  const Ran ran = scene.run("touch ran");
  EXPECT_FALSE(ran.supervised.command_ran);
  EXPECT_EQ(ran.supervised.run.ending, Ending::start_failed);
  EXPECT_THAT(ran.refusal, HasSubstr("exited with 65"));
  EXPECT_THAT(ran.refusal, HasSubstr("profile did not compile"));
  EXPECT_THAT(ran.receipt, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(scene.workspace() + "/ran"));
  EXPECT_TRUE(std::filesystem::is_empty(scene.scratch().file("private")));
}

TEST(MacosRun, WithoutSandboxExecNothingRuns) {
  Scene scene;
  scene.use_sandbox_exec("/no/such/sandbox-exec");
  const auto ran = scene.try_run({"-c", "touch ran"});
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("/no/such/sandbox-exec"));
  EXPECT_FALSE(std::filesystem::exists(scene.workspace() + "/ran"));
  EXPECT_TRUE(std::filesystem::is_empty(scene.scratch().file("private")));
}

TEST(MacosRun, TheReceiptSaysWhatHoldsAndWhatDoesNot) {
  Scene scene;
  scene.policy().limits.open_files = 64;
  scene.policy().limits.memory_bytes = 1U << 28;
  scene.policy().limits.tmp_bytes = 1U << 20;
  scene.policy().limits.optional = {"memory_bytes", "tmp_bytes"};
  const Ran ran = scene.run("ulimit -n");
  EXPECT_EQ(ran.output.stdout_stream.kept, "64\n");
  for (const char* name : {"profile", "files", "network", "unix_sockets", "services", "session", "open_files",
                           "limit.wall_time", "limit.open_files", "limit.core"}) {
    EXPECT_EQ(state_of(ran, name), LayerState::enforced) << name;
  }
  for (const char* name : {"process_tree", "limit.memory", "limit.tmp"})
    EXPECT_EQ(state_of(ran, name), LayerState::absent) << name;
  EXPECT_THAT(layer(ran, "process_tree")->evidence, HasSubstr("best effort"));
  EXPECT_EQ(layer(ran, "limit.open_files")->evidence, "RLIMIT_NOFILE=64");
  EXPECT_EQ(state_of(ran, "limit.processes"), LayerState::not_requested);
}

TEST(MacosRun, TheReceiptOfAnOpenNetworkSaysSo) {
  Scene scene;
  scene.policy().egress.mode = EgressMode::none;
  EXPECT_EQ(state_of(scene.run("true"), "network"), LayerState::not_requested);
  scene.policy().egress.mode = EgressMode::block_all;
  scene.policy().macos.loopback = true;
  EXPECT_THAT(layer(scene.run("true"), "network")->evidence, HasSubstr("loopback"));
}

TEST(MacosRun, TierBRunsTheCommandItselfAndSaysWhatNobodyLooksAt) {
  Scene scene;
  scene.policy().tier = {TierChoice::b, Tier::b};
  scene.policy().egress.mode = EgressMode::none;
  const Ran ran = scene.run("echo $0");
  EXPECT_EQ(ran.output.stdout_stream.kept, "sh\n") << "by the name it was called by";
  EXPECT_THAT(scene.words(), IsEmpty()) << "no sandbox-exec";
  for (const char* name : {"files", "unix_sockets", "services"})
    EXPECT_EQ(state_of(ran, name), LayerState::absent) << name;
  EXPECT_EQ(layer(ran, "profile"), nullptr);
}

TEST(MacosRun, EndsAtTheDeadlineWithEverythingItStarted) {
  Scene scene;
  scene.policy().limits.wall_time_ms = 300;
  const Ran ran = scene.run("sleep 600 & echo $! > left; wait");
  EXPECT_EQ(ran.supervised.run.ending, Ending::wall_time);
  EXPECT_TRUE(ran.supervised.run.tree_gone);
  EXPECT_FALSE(
      posix::is_alive(static_cast<pid_t>(std::atoi(read_text(scene.workspace() + "/left").c_str()))));
}

}  // namespace
}  // namespace bawn::macos
