// A file is replaced by another of the same name after the validation and before the run. Either
// the command sees the file that was validated, or nothing runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "base/error.h"
#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Puts another file or directory at the path. The old one stays alive elsewhere, so that the new
// one does not get its inode number.
void exchange(const std::string& path) {
  const bool directory = fs::is_directory(path);
  fs::rename(path, path + ".old");
  if (directory) {
    fs::create_directory(path);
  } else {
    fs::copy_file(path + ".old", path);
  }
}

class Exchange : public testing::Test {
 protected:
  Exchange() {
    fs::create_directory(fixture.workspace() + "/sub");
    fixture.file(fixture.workspace(), "protected");
    fs::create_directory(granted);
    for (const std::string& program : {program_in_grant, program_alone})
      fs::copy_file(guest(), program);
    policy.executables.allow = {program_in_grant, program_alone};
    policy.filesystem.read = {granted};
  }

  // Replaces what is at `path` when the plan is made; the run's log says when that is.
  Outcome run(const std::string& program, const std::string& path, const std::string& cwd = "") {
    int lines = 0;
    const auto log = [&](std::string_view) {
      if (lines++ == 0 && !path.empty()) exchange(path);
    };
    return bawn::run(policy, {.command = program, .args = {"print", "ran"}, .cwd = cwd},
                     {.workspace = fixture.workspace(), .log = log});
  }

  // Tier b continues with the files that it holds open, and so does bawn when it makes the mounts
  // of root's runs. Otherwise tier c looks them up by name and compares.
  void expect_refused(const Outcome& outcome, const std::string& step, const std::string& object) {
    if (fixture_tier() == Tier::b || (getuid() == 0 && step == "mount")) {
      EXPECT_EQ(said(outcome), "ran");
      return;
    }
    ASSERT_EQ(outcome.status, Status::failed) << outcome_json(outcome);
    EXPECT_EQ(outcome.error->step, step);
    EXPECT_THAT(outcome.error->message, HasSubstr("'" + object + "'"));
    EXPECT_THAT(outcome.error->message, HasSubstr(errno_text(ESTALE)));
    EXPECT_EQ(outcome.stdout_stream.data, "");
  }

  const RunFixture fixture;
  const std::string granted = fixture.outside() + "/granted";
  const std::string program_in_grant = granted + "/tool";
  const std::string program_alone = fixture.outside() + "/tool";
  FixturePolicy policy = fixture_policy();
};

TEST_F(Exchange, OfNothingLetsTheCommandRun) {
  EXPECT_EQ(said(run(program_alone, "")), "ran");
  EXPECT_EQ(said(run(program_in_grant, "", "sub")), "ran");
}

TEST_F(Exchange, OfTheWorkspaceIsNoticed) {
  expect_refused(run(program_alone, fixture.workspace()), "mount", fixture.workspace());
}

TEST_F(Exchange, OfAGrantIsNoticed) {
  expect_refused(run(program_alone, granted), "mount", granted);
}

TEST_F(Exchange, OfTheProgramIsNoticed) {
  expect_refused(run(program_alone, program_alone), "mount", program_alone);
}

// A listed program is a mount of its own.
TEST_F(Exchange, OfAListedProgramInsideAGrantIsNoticed) {
  expect_refused(run(program_in_grant, program_in_grant), "mount", program_in_grant);
}

TEST_F(Exchange, OfAProgramInsideAGrantIsNoticed) {
  policy.executables.allow_all = true;
  policy.executables.allow = {};
  expect_refused(run(program_in_grant, program_in_grant), "open_executable", program_in_grant);
}

TEST_F(Exchange, OfTheWorkingDirectoryIsNoticed) {
  const std::string cwd = fixture.workspace() + "/sub";
  expect_refused(run(program_alone, cwd, "sub"), "open_cwd", cwd);
}

TEST_F(Exchange, OfWhatIsProtectedIsNoticed) {
  if (fixture_tier() == Tier::c) policy.workspace.protect = {"protected"};  // tier b cannot protect
  const std::string kept = fixture.workspace() + "/protected";
  expect_refused(run(program_alone, kept), "mount", kept);
}

}  // namespace
}  // namespace bawn
