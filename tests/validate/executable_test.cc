#include "validate/program/executable.h"

#include <gtest/gtest.h>

#include "fake_lookup.h"
#include "policy/policy.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

// One check with a policy that allows everything unless a test says otherwise.
class ExecutableTest : public testing::Test {
 protected:
  ExecutableTest() {
    policy_.executables.allow_all = true;
    policy_.executables.interpreters = true;
    policy_.executables.from_workspace = true;
  }

  Program judge(std::string command, Words args = {}) {
    request_.command = std::move(command);
    request_.args = std::move(args);
    violations_.clear();
    const Located cwd = lookup_.locate("/work");
    const Scope scope = make_scope(policy_.workspace.mode, policy_.filesystem, cwd, lookup_);
    return judge_executable(policy_, request_, scope, cwd,
                            {.tier = Tier::b, .lookup = &lookup_, .search = search_}, violations_);
  }

  FakeLookup lookup_{{"/usr/bin/git", "exe"},
                     {"/usr/bin/dash", "exe"},
                     {"/usr/bin/sh", "link:dash"},
                     {"/usr/bin/notes", "file"},
                     {"/work/notes", "link:/usr/bin/notes"},
                     {"/usr/bin/env", "exe"},
                     {"/usr/bin/python3.11", "exe"},
                     {"/usr/bin/python3", "link:python3.11"},
                     {"/usr/bin/tool", "script:#!/usr/bin/env python3"},
                     {"/work/run.sh", "script:#!/usr/bin/sh -e -u"},
                     {"/work/outer", "script:#!/work/run.sh -x"}};
  Words search_;
  Policy policy_;
  Request request_;
  Violations violations_;
};

TEST_F(ExecutableTest, KeepsTheSpellingOfABinaryAsItsFirstWord) {
  const Program program = judge("git", {"status"});
  EXPECT_EQ(program.file.path, "/usr/bin/git");
  EXPECT_EQ(program.argv, (Words{"git", "status"}));
}

TEST_F(ExecutableTest, FollowsLinksToTheFileAndKeepsTheName) {
  const Program program = judge("/usr/bin/python3", {"-V"});
  EXPECT_EQ(program.file.path, "/usr/bin/python3.11");
  EXPECT_EQ(program.argv, (Words{"/usr/bin/python3", "-V"}));
}

TEST_F(ExecutableTest, ReplacesAScriptByItsInterpreterWithOneArgument) {
  const Program program = judge("./run.sh", {"a", "b"});
  EXPECT_EQ(program.file.path, "/usr/bin/dash");
  EXPECT_EQ(program.argv, (Words{"/usr/bin/sh", "-e -u", "./run.sh", "a", "b"}));
}

TEST_F(ExecutableTest, NamesAScriptFoundOnTheTrustedPathByItsPath) {
  const Program program = judge("tool", {"a"});
  EXPECT_EQ(program.file.path, "/usr/bin/env");
  EXPECT_EQ(program.argv, (Words{"/usr/bin/env", "python3", "/usr/bin/tool", "a"}));
}

TEST_F(ExecutableTest, UnfoldsAScriptForAScriptAsTheKernelDoes) {
  const Program program = judge("./outer", {"a"});
  EXPECT_EQ(program.file.path, "/usr/bin/dash");
  EXPECT_EQ(program.argv, (Words{"/usr/bin/sh", "-e -u", "/work/run.sh", "-x", "./outer", "a"}));
}

TEST_F(ExecutableTest, TellsWhichPolicyKeyWouldAllowIt) {
  policy_.executables.interpreters = false;
  judge("python3");
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_NE(violations_[0].hint.find("interpreters"), std::string::npos);
  policy_.executables.interpreters = true;
  judge("python3");
  EXPECT_TRUE(violations_.empty());
}

// For '/usr/bin/notes' the hint was once "it leads to '/usr/bin/notes'", which did not help.
TEST_F(ExecutableTest, TellsWhereANameLeadsIfThatIsAnotherPlace) {
  judge("/usr/bin/notes");
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].code, "executable.not_executable");
  EXPECT_EQ(violations_[0].hint, "name a program that may be executed");
  for (const char* name : {"notes", "/work/notes", "../usr/bin/notes"}) {
    judge(name);
    ASSERT_EQ(violations_.size(), 1U) << name;
    EXPECT_EQ(violations_[0].hint, "it leads to '/usr/bin/notes'") << name;
  }
}

TEST_F(ExecutableTest, ListsEachDirectoryOnceInWhichItHasLooked) {
  search_ = {"/home/you/bin", "/usr/bin", "/home/you/bin", "/opt/bin"};
  judge("nosuch");
  ASSERT_EQ(violations_.size(), 1U);
  std::string expected = "a bare name is looked for in /home/you/bin /usr/bin /opt/bin";
  for (const auto& directory : lookup_.trusted_path()) {
    if (directory != "/usr/bin") expected += " " + std::string(directory);
  }
  EXPECT_EQ(violations_[0].hint, expected + " only");
}

TEST_F(ExecutableTest, SuggestsTheAllowedNameThatWasProbablyMeant) {
  policy_.executables.allow_all = false;
  policy_.executables.allow = {"git"};
  judge("gti");
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_NE(violations_[0].hint.find("'git'"), std::string::npos) << violations_[0].hint;
}

TEST_F(ExecutableTest, NamesTheChainThatLedToTheRefusedProgram) {
  policy_.executables.block = {"python3"};
  judge("env", {"python3"});
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].subject, "python3");
  EXPECT_NE(violations_[0].message.find("started by 'env'"), std::string::npos)
      << violations_[0].message;
}

TEST_F(ExecutableTest, TellsTheSameFindingOnce) {
  policy_.executables.block = {"git"};
  judge("sh", {"-c", "git a; git b; git c"});
  EXPECT_EQ(violations_.size(), 1U);
}

TEST_F(ExecutableTest, RefusesAPinnedFileWithOtherContent) {
  policy_.executables.sha256 = {{"git", std::string(64, '0')}};
  judge("git");
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].code, "executable.digest_mismatch");
  policy_.executables.sha256 = {{"git", FakeLookup::sha256_of_path("/usr/bin/git")}};
  judge("git");
  EXPECT_TRUE(violations_.empty());
}

TEST_F(ExecutableTest, SurvivesANulByteInTheCommand) {
  judge(std::string("gi\0t", 4));
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].code, "executable.not_found");
}

}  // namespace
}  // namespace bawn
