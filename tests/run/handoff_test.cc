// Runs that leave something which other programs obey, in both tiers.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "fixture.h"
#include "outcome/outcome.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class HandoffRun : public testing::Test {
 protected:
  HandoffRun() {
    policy_.executables.allow = {};
    policy_.executables.allow_all = policy_.executables.interpreters = true;
  }

  // "new .git/config alias.x (git)", for each.
  [[nodiscard]] std::vector<std::string> told(const std::string& script) const {
    const Outcome outcome = bawn::run(policy_, {.command = "sh", .args = {"-c", script}},
                                      {.workspace = fixture_.workspace()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome_json(outcome);
    EXPECT_TRUE(outcome.handoff) << outcome_json(outcome);
    std::vector<std::string> out;
    for (const Handoff& each : outcome.handoff.value_or(std::vector<Handoff>())) {
      out.push_back(concat(to_string(each.change), " ", each.path, each.key.empty() ? "" : " ",
                           each.key, " (", each.obeyed_by, ")"));
    }
    return out;
  }

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = fixture_.workspace() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  RunFixture fixture_;
  FixturePolicy policy_ = fixture_policy();
};

TEST_F(HandoffRun, TellsAFileThatIsNew) {
  EXPECT_THAT(told("echo x > .envrc"), ElementsAre("new .envrc (direnv)"));
}

TEST_F(HandoffRun, TellsAFileThatHasChanged) {
  write("Makefile", "all:\n");
  EXPECT_THAT(told("echo x >> Makefile"), ElementsAre("changed Makefile (make)"));
}

TEST_F(HandoffRun, TellsTheKeyOfAConfiguration) {
  write(".git/config", "[core]\n\tbare = false\n");
  EXPECT_THAT(told("printf '[alias]\\n\\tx = !id\\n[user]\\n\\tname = a\\n' >> .git/config"),
              ElementsAre("new .git/config alias.x (git)"));
}

TEST_F(HandoffRun, TellsFilesInDirectoriesAndScripts) {
  write("package.json", R"({"scripts": {}})");
  EXPECT_THAT(told("mkdir -p .vscode .github/workflows; echo x > .vscode/tasks.json;"
                   "echo x > .github/workflows/a.yml;"
                   R"(echo '{"scripts": {"postinstall": "x"}}' > package.json)"),
              testing::UnorderedElementsAre("new .vscode/tasks.json (VS Code and its relatives)",
                                            "new .github/workflows/a.yml (GitHub Actions, and act)",
                                            "changed package.json (npm and its relatives)"));
}

TEST_F(HandoffRun, TellsLinksThatLeadOutAndAHookMadeInside) {
  EXPECT_THAT(told("mkdir -p a/.git/hooks; ln -s ../../etc a/x; echo x > a/.git/hooks/pre-push"),
              testing::UnorderedElementsAre("new a/x (programs that follow links)",
                                            "new a/.git/hooks/pre-push (git)"));
}

// Directories that may be searched and not listed, a link in the place of one, and repositories
// inside another hid everything.
TEST_F(HandoffRun, TellsWhatModesAndLinksWouldHide) {
  write(".git/config", "");
  EXPECT_THAT(
      told("mkdir v sub; echo {} > v/tasks.json; ln -s v .vscode;"
           "echo 'gitdir: ../.git/evil' > sub/.git; mkdir -p .git/evil/hooks;"
           "echo x > .git/evil/hooks/pre-push; printf '[alias]\\n\\tx = !id\\n' > .git/config;"
           "chmod 311 .git"),
      testing::UnorderedElementsAre("new .git/config alias.x (git)",
                                    "new .vscode/tasks.json (VS Code and its relatives)",
                                    "new sub/.git (git)", "new .git/evil/hooks/pre-push (git)"));
}

TEST_F(HandoffRun, IsQuietAboutOrdinaryWork) {
  write(".git/config", "[core]\n\tbare = false\n");
  write("Makefile", "all:\n");
  write("package.json", R"({"version": "1", "scripts": {"a": "b"}})");
  EXPECT_THAT(told("echo x > main.c; mkdir sub; ln -s ../main.c sub/l; touch Makefile;"
                   "cat Makefile > new; cat new > Makefile;"
                   "printf '[user]\\n\\tname = a\\n' >> .git/config;"
                   R"(echo '{"version": "2", "scripts": {"a": "b"}}' > package.json)"),
              IsEmpty());
}

TEST_F(HandoffRun, LooksAtAWritableGrantAndNotAtOneForReading) {
  policy_.filesystem.write = {fixture_.outside()};
  EXPECT_THAT(told(concat("echo x > ", fixture_.outside(), "/.envrc")),
              ElementsAre(concat("new ", fixture_.outside(), "/.envrc (direnv)")));
}

TEST_F(HandoffRun, IsNotHeldUpByAFifo) {
  EXPECT_THAT(told("mkfifo .envrc Makefile"), Contains("new .envrc (direnv)"));
}

TEST_F(HandoffRun, HasNothingToTellOfAPrivateWorkspace) {
  policy_.workspace.mode = WorkspaceMode::private_dir;
  EXPECT_THAT(told("echo x > .envrc"), IsEmpty());
}

TEST_F(HandoffRun, IsNotLookedForIfThePolicyDoesNotAsk) {
  policy_.workspace.handoff = false;
  EXPECT_EQ(fixture_.run(policy_, {"create", fixture_.workspace() + "/.envrc"}).handoff,
            std::nullopt);
  EXPECT_EQ(fixture_.run(disabled_policy(), {"exit", "0"}).handoff, std::nullopt);
}

TEST_F(HandoffRun, IsLookedForWithoutASandboxToo) {
  policy_ = unconfined_policy();
  EXPECT_THAT(told("echo x > .envrc"), ElementsAre("new .envrc (direnv)"));
}

TEST_F(HandoffRun, IsToldOfARunThatWasEndedByALimit) {
  const std::string script = "echo x > .envrc; exec sleep 1000";
  const Outcome outcome =
      bawn::run(policy_, {.command = "sh", .args = {"-c", script}, .timeout_ms = 1000},
                {.workspace = fixture_.workspace()});
  EXPECT_EQ(outcome.limit, "wall_time");
  ASSERT_TRUE(outcome.handoff);
  EXPECT_EQ(outcome.handoff->size(), 1U);
}

}  // namespace
}  // namespace bawn
