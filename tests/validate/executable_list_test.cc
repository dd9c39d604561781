#include "validate/program/executable_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

#include "fake_lookup.h"
#include "policy/policy.h"
#include "validate/validate.h"

namespace bawn {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kLoader = "elf:/lib64/ld.so";

FakeLookup listed_tree() {
  return FakeLookup({{"/lib", "link:usr/lib"},
                     {"/lib64", "link:usr/lib64"},
                     {"/usr/lib64/ld.so", "link:../lib/x/ld.so"},
                     {"/usr/lib/x/ld.so", "exe"},
                     {"/usr/lib/ld32.so", "exe"},
                     {"/usr/bin/git", kLoader},
                     {"/usr/lib/git-core", "dir"},
                     {"/usr/lib/gcc/x/12/cc1", kLoader},
                     {"/usr/bin/gcc", "link:x86_64-linux-gnu-gcc-12"},
                     {"/usr/bin/x86_64-linux-gnu-gcc-12", kLoader},
                     {"/usr/bin/as", "link:x-as"},
                     {"/usr/bin/x-as", kLoader},
                     {"/usr/bin/ld", kLoader},
                     {"/usr/bin/old", "elf:/lib/ld32.so"},
                     {"/usr/bin/static", "exe"},
                     {"/usr/bin/dash", kLoader},
                     {"/usr/bin/sh", "link:dash"},
                     {"/usr/bin/env", kLoader},
                     {"/usr/bin/python3", "link:python3.11"},
                     {"/usr/bin/python3.11", kLoader},
                     {"/usr/bin/tool.sh", "script:#!/bin/sh"},
                     {"/usr/bin/tool.py", "script:#!/usr/bin/env python3"},
                     {"/usr/bin/tool.cat", "script:#!/usr/bin/static"},
                     {"/bin", "link:usr/bin"},
                     {"/work/built", kLoader},
                     {"/work/link", "own link:/usr/bin/python3"}});
}

const Scope& scope() {
  static const Scope kScope = {.readable = {"/work"},
                               .writable = {"/work"},
                               .workspace = "/work",
                               .readable_on_host = {"/work"},
                               .writable_on_host = {"/work"}};
  return kScope;
}

struct Listed {
  std::vector<std::string> files;  // "program /usr/bin/git for git"
  Violations violations;
};

Listed listed(const ExecutablesPolicy& policy, const Program& program = {}) {
  const FakeLookup lookup = listed_tree();
  Listed out;
  const ExecutableList list = list_executables(policy, scope(), program, lookup, out.violations);
  for (const AllowedFile& file : list.files) {
    EXPECT_NE(file.file.inode, 0U) << file.file.path;
    out.files.push_back(concat(to_string(file.why), " ", file.file.path, " for ", file.of));
  }
  return out;
}

std::vector<std::string> files(std::vector<std::string> allow) {
  return listed({.allow = std::move(allow)}).files;
}

TEST(ExecutableList, HasTheRealFileOfAProgramAndItsLoader) {
  EXPECT_THAT(files({"old"}),
              ElementsAre("program /usr/bin/old for old", "loader /usr/lib/ld32.so for old"));
  EXPECT_THAT(files({"/usr/bin/sh"}), ElementsAre("program /usr/bin/dash for /usr/bin/sh",
                                                  "loader /usr/lib/x/ld.so for /usr/bin/sh"));
  EXPECT_THAT(files({"static"}), ElementsAre("program /usr/bin/static for static"));
}

TEST(ExecutableList, HasEachFileOnce) {
  EXPECT_THAT(
      files({"old", "/usr/bin/old", "sh", "dash", "env"}),
      UnorderedElementsAre("program /usr/bin/old for old", "loader /usr/lib/ld32.so for old",
                           "program /usr/bin/dash for sh", "loader /usr/lib/x/ld.so for sh",
                           "program /usr/bin/env for env"));
}

TEST(ExecutableList, HasWhatBelongsToAProgram) {
  EXPECT_THAT(files({"git"}), UnorderedElementsAre("program /usr/bin/git for git",
                                                   "loader /usr/lib/x/ld.so for git",
                                                   "helper /usr/lib/git-core for git"));
  EXPECT_THAT(files({"gcc"}),
              UnorderedElementsAre("program /usr/bin/x86_64-linux-gnu-gcc-12 for gcc",
                                   "loader /usr/lib/x/ld.so for gcc", "helper /usr/lib/gcc for gcc",
                                   "helper /usr/bin/x-as for gcc", "helper /usr/bin/ld for gcc"));
  EXPECT_EQ(files({"/usr/bin/x86_64-linux-gnu-gcc-12"}).size(), files({"gcc"}).size())
      << "by the file's own name";
}

TEST(ExecutableList, LeavesOutWhatIsBlockedOrMissing) {
  EXPECT_THAT(listed({.allow = {"git", "nothing"}, .block = {"git"}}).files, IsEmpty());
  EXPECT_THAT(listed({.allow = {"gcc"}, .block = {"ld"}}).files,
              Not(Contains("helper /usr/bin/ld for gcc")));
  EXPECT_THAT(listed({.allow = {"nothing"}}).violations, IsEmpty());
  EXPECT_THAT(files({}), IsEmpty());
}

// The next run would execute what this one wrote.
TEST(ExecutableList, LeavesOutWhatTheRunCanMakeOrRedirect) {
  EXPECT_THAT(files({"/work/built", "/work/link"}), IsEmpty());
  const ExecutablesPolicy open = {.allow = {"/work/built", "/work/link"}, .from_workspace = true};
  EXPECT_THAT(listed(open).files, UnorderedElementsAre("program /work/built for /work/built",
                                                       "loader /usr/lib/x/ld.so for /work/built"));
}

TEST(ExecutableList, HasTheInterpreterOfAScriptWhereItNeedsNoEntry) {
  EXPECT_THAT(files({"tool.sh"}), ElementsAre("program /usr/bin/tool.sh for tool.sh"));
  const auto with = [](const char* script) {
    return listed({.allow = {script}, .interpreters = true}).files;
  };
  EXPECT_THAT(with("tool.sh"), UnorderedElementsAre("program /usr/bin/tool.sh for tool.sh",
                                                    "interpreter /usr/bin/dash for tool.sh",
                                                    "loader /usr/lib/x/ld.so for tool.sh"));
  EXPECT_THAT(with("tool.py"), IsSupersetOf({"interpreter /usr/bin/env for tool.py",
                                             "interpreter /usr/bin/python3.11 for tool.py"}));
  EXPECT_THAT(with("tool.cat"), ElementsAre("program /usr/bin/tool.cat for tool.cat"))
      << "a program that runs no code needs an entry";
}

TEST(ExecutableList, HasTheProgramOfTheRequest) {
  const FakeLookup lookup = listed_tree();
  EXPECT_THAT(listed({}, {.file = lookup.locate("/usr/bin/dash")}).files,
              ElementsAre("program /usr/bin/dash for ", "loader /usr/lib/x/ld.so for "));
}

TEST(ExecutableList, ComparesEveryPinnedProgram) {
  ExecutablesPolicy policy = {.allow = {"git", "old"}};
  policy.sha256 = {{"git", FakeLookup::sha256_of_path("/usr/bin/git")},
                   {"/usr/bin/old", FakeLookup::sha256_of_path("/usr/bin/git")}};
  const Violations violations = listed(policy).violations;
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].code, "executable.digest_mismatch");
  EXPECT_EQ(violations[0].subject, "old");
  policy.sha256["/usr/bin/old"] = FakeLookup::sha256_of_path("/usr/bin/old");
  EXPECT_THAT(listed(policy).violations, IsEmpty());
}

TEST(ExecutableList, IsMadeOnlyWhereTheKernelEnforcesIt) {
  const FakeLookup lookup = listed_tree();
  Policy policy;
  policy.executables.allow = {"git"};
  const auto has_list = [&](bool enforced) {
    return validate(policy, {.command = "git"},
                    {.lookup = &lookup, .workspace = "/work", .lists_executables = enforced})
        .executables.has_value();
  };
  EXPECT_TRUE(has_list(true));
  EXPECT_FALSE(has_list(false));
  policy.executables.allow_all = true;
  EXPECT_FALSE(has_list(true));
}

}  // namespace
}  // namespace bawn
