// Nothing that one run leaves in its workspace decides about the next run: neither a link in the
// place of a PATH directory, a grant or a program, nor the first line of a script.
//
// A directory of a virtual environment on the PATH was once replaced by a link to ~/.ssh, and the
// next run was shown that directory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class PlantedLink : public testing::Test {
 protected:
  PlantedLink() {
    policy_.executables = {
        .allow_all = true, .interpreters = true, .from_workspace = true, .caller_path = true};
    script(secret_, "cat", "#!/usr/bin/cat\nsecret\n");
  }

  static void script(const std::string& directory, const std::string& name,
                     const std::string& text) {
    std::ofstream(directory + "/" + name) << text;
    chmod((directory + "/" + name).c_str(), 0755);
  }

  // Uses a run, as an attacker would.
  void plant(const std::string& target, const std::string& name) const {
    ASSERT_TRUE(run("ln", {"-s", target, workspace() + "/" + name}).success());
  }

  [[nodiscard]] const std::string& workspace() const { return fixture_.workspace(); }
  [[nodiscard]] std::string in_workspace(const std::string& name) const {
    return workspace() + "/" + name;
  }

  [[nodiscard]] Outcome run(const std::string& command, std::vector<std::string> args = {}) const {
    return bawn::run(policy_, {.command = command, .args = std::move(args)},
                     {.workspace = workspace(),
                      .source = RequestSource::person,
                      .caller_env = [this](std::string_view name) {
                        return name == "PATH"                     ? std::optional(path_)
                               : name == "HOME" && !home_.empty() ? std::optional(home_)
                                                                  : std::nullopt;
                      }});
  }

  [[nodiscard]] std::vector<std::string> codes(const std::string& command) const {
    std::vector<std::string> out;
    for (const Violation& violation : run(command).violations) out.push_back(violation.code);
    return out;
  }

  // Whether a run finds the file that no policy grants.
  [[nodiscard]] bool sees_secret() const { return run("test", {"-e", secret_ + "/cat"}).success(); }

  RunFixture fixture_;
  std::string secret_ = fixture_.outside();
  std::string path_ = "/usr/bin:/bin";
  std::string home_;
  FixturePolicy policy_ = fixture_policy();
};

TEST_F(PlantedLink, OnThePathShowsNothing) {
  path_ = secret_ + ":/usr/bin:/bin";
  EXPECT_TRUE(sees_secret()) << "what the caller's PATH names itself is shown";
  path_ = in_workspace("bin") + ":/usr/bin:/bin";
  plant(secret_, "bin");
  EXPECT_FALSE(sees_secret());
  fs::create_directory(in_workspace("real"));
  script(in_workspace("real"), "tool", "#!/bin/sh\necho found\n");
  fs::remove(in_workspace("bin"));
  plant("real", "bin");
  EXPECT_EQ(said(run("tool")), "found") << "a link that stays inside shows nothing new";
}

// Some tools keep environments and build results as links to paths that the run sees anyway.
TEST_F(PlantedLink, OnThePathToWhatIsSeenAnywayIsAsGoodAsAnyOther) {
  plant("/usr/bin", "result");
  path_ = in_workspace("result");
  EXPECT_TRUE(run("true").success());
  fs::remove(in_workspace("result"));
  plant(secret_, "result");
  policy_.filesystem.read = {secret_};
  script(secret_, "tool", "#!/bin/sh\necho found\n");
  path_ = in_workspace("result") + ":/usr/bin:/bin";
  EXPECT_EQ(said(run("tool")), "found");
}

// A directory on the PATH brings other directories of the same tool along.
TEST_F(PlantedLink, InThePlaceOfAToolsPartsShowsNothing) {
  const std::string home = workspace() + "/home";
  home_ = home;
  path_ = home + "/.local/bin:/usr/bin:/bin";
  fs::create_directories(home + "/.local/bin");
  fs::create_directories(home + "/.local/share");
  plant(secret_, "home/.local/share/pipx");
  EXPECT_FALSE(sees_secret());
}

TEST_F(PlantedLink, OnTheWayToTheWorkspacesOwnDirectoryOnThePathShowsNothing) {
  const std::string beside = fixture_.outside() + "-bin";
  fs::create_symlink(in_workspace("bin"), beside);
  path_ = beside + ":/usr/bin:/bin";
  plant(secret_, "bin");
  EXPECT_FALSE(sees_secret()) << "the caller's link leads to the command's";
  fs::remove(beside);
}

TEST_F(PlantedLink, InAGrantIsRefused) {
  plant(secret_, "data");
  for (auto* grants : {&policy_.filesystem.read, &policy_.filesystem.write}) {
    *grants = {in_workspace("data")};
    EXPECT_THAT(codes("true"), ElementsAre("grant.link"));
    *grants = {secret_};
    EXPECT_THAT(codes("true"), IsEmpty()) << "by its own name";
    EXPECT_TRUE(sees_secret());
    grants->clear();
  }
}

TEST_F(PlantedLink, OnTheWayToTheWorkspaceIsRefused) {
  const std::string around = fixture_.outside() + "/around";
  fs::create_directories(around + "/real");
  policy_.filesystem.write = {around};
  policy_.workspace.root = around + "/real";
  EXPECT_THAT(codes("true"), IsEmpty());
  fs::create_symlink(secret_, around + "/current");
  policy_.workspace.root = around + "/current";
  EXPECT_THAT(codes("true"), ElementsAre("workspace.link"));
}

TEST_F(PlantedLink, InAGrantThatIsShownElsewhereIsKnownByItsNameOnTheHost) {
  const std::string around = fixture_.outside() + "/around";
  const std::string private_place = fixture_.outside() + "/private";
  for (const std::string& directory : {around, private_place}) fs::create_directory(directory);
  script(private_place, "tool", "#!/bin/sh\necho found\n");
  fs::create_symlink(private_place + "/tool", around + "/tool");
  policy_.filesystem.write = {{around, "/data"}};
  EXPECT_THAT(codes("/data/tool"), ElementsAre("path.outside_scope"));
  policy_.filesystem.read = {private_place};
  EXPECT_EQ(said(run("/data/tool")), "found");
}

TEST_F(PlantedLink, ToAProgramIsRefusedUnlessThatIsSeenAnyway) {
  plant(secret_ + "/cat", "tool");
  EXPECT_THAT(codes("./tool"), ElementsAre("path.outside_scope"));
  EXPECT_THAT(codes(secret_ + "/cat"), IsEmpty()) << "the caller may name it";
  plant("/usr/bin/true", "system");
  EXPECT_TRUE(run("./system").success());
  policy_.filesystem.read = {secret_};
  EXPECT_THAT(codes("./tool"), IsEmpty());
}

TEST_F(PlantedLink, IsNoBetterThanAScriptsFirstLine) {
  script(workspace(), "script", "#!" + secret_ + "/cat\n");
  EXPECT_THAT(codes("./script"), ElementsAre("path.outside_scope"));
  script(workspace(), "plain", "#!/usr/bin/true\n");
  EXPECT_TRUE(run("./plain").success());
  policy_.filesystem.read = {secret_};
  EXPECT_THAT(codes("./script"), IsEmpty());
}

}  // namespace
}  // namespace bawn
