// /proc shows the state of init, so that ps works, but neither its files nor its memory, for every
// identity of the command.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/limit.h"
#include "policy/policy.h"

namespace bawn {
namespace {

using testing::AnyOf;
using testing::Not;

struct Identity {
  const char* name;
  bool as_root;
  bool somebody_else;  // needs root
};

void PrintTo(const Identity& identity, std::ostream* out) { *out << identity.name; }

class InitFiles : public testing::TestWithParam<Identity> {
 protected:
  void SetUp() override {
    if (GetParam().somebody_else && getuid() != 0)
      GTEST_SKIP() << "only root can run a command as another user";
    policy_.identity.as_root = GetParam().as_root;
    if (GetParam().somebody_else) policy_.identity.uid = policy_.identity.gid = 12345;
    chmod(std::filesystem::path(fixture_.workspace()).parent_path().c_str(), 0755);
    std::filesystem::copy_file(guest(), program_);
    policy_.executables.allow = {program_};
  }

  [[nodiscard]] Outcome run(const std::string& words) const {
    return bawn::run(policy_, {.command = program_, .args = {"from-stdin"}, .stdin_text = words},
                     {.workspace = fixture_.workspace()});
  }
  [[nodiscard]] std::string answer(const std::string& verb, const std::string& path) const {
    return said(run(verb + "\n" + path + "\n"));
  }
  // "" if the directory cannot be listed.
  [[nodiscard]] std::string names_in(const std::string& path) const {
    return run("list-names\n" + path + "\n").stdout_stream.data;
  }

  FixturePolicy policy_ = fixture_policy();
  RunFixture fixture_;
  std::string program_ = fixture_.outside() + "/guest";
};

TEST_P(InitFiles, AreNotListed) {
  for (const char* list : {"fd", "fdinfo", "task/1/fd", "task/1/fdinfo", "map_files"})
    EXPECT_EQ(names_in("/proc/1/" + std::string(list)), "") << list;
  for (const char* list : {"fd", "fdinfo"})
    EXPECT_THAT(names_in("/proc/self/" + std::string(list)), testing::HasSubstr("0\n1\n2\n"))
        << list;
}

TEST_P(InitFiles, AreNotReached) {
  for (const char* link :
       {"exe", "root", "cwd", "fd/0", "fd/1", "task/1/exe", "task/1/fd/0", "ns/mnt", "ns/user"}) {
    EXPECT_THAT(answer("read-link", "/proc/1/" + std::string(link)), AnyOf("EACCES", "ENOENT"))
        << link;
    EXPECT_THAT(answer("look-at", "/proc/1/" + std::string(link)), AnyOf("EACCES", "ENOENT"))
        << link;
  }
  for (const char* link : {"exe", "root", "cwd", "fd/0", "ns/mnt"})
    EXPECT_EQ(answer("read-link", "/proc/self/" + std::string(link)), "ok") << link;
  for (const char* file :
       {"environ", "maps", "mem", "auxv", "task/1/environ", "task/1/maps", "fdinfo/0"})
    EXPECT_THAT(answer("read", "/proc/1/" + std::string(file)), Not("ok")) << file;
  for (const char* file : {"environ", "maps", "auxv", "fdinfo/0"})
    EXPECT_EQ(answer("read", "/proc/self/" + std::string(file)), "ok") << file;
}

TEST_P(InitFiles, DoNotIncludeWhatPsReads) {
  for (const char* file : {"stat", "status", "cmdline", "comm", "task/1/stat"})
    EXPECT_EQ(answer("read", "/proc/1/" + std::string(file)), "ok") << file;
  EXPECT_THAT(names_in("/proc"), testing::StartsWith("1\n"));
}

// Init finds the tree through its own entry in /proc.
TEST_P(InitFiles, LeaveTheTimeOfTheTreeToBeMeasured) {
  policy_.limits.cpu_time_ms = 300;
  const Outcome outcome = run("spin-in-children\n2\n");
  EXPECT_EQ(outcome.limit, "cpu_time") << outcome_json(outcome);
}

TEST_P(InitFiles, OfAnInitThatTheCommandDoesNotSeeAreTheCommandsOwn) {
  policy_.identity.as_pid_1 = true;
  EXPECT_THAT(names_in("/proc/1/fd"), testing::HasSubstr("0\n1\n2\n"));
  EXPECT_EQ(answer("print-link", "/proc/1/exe"), program_);
}

INSTANTIATE_TEST_SUITE_P(Seen, InitFiles,
                         testing::Values(Identity{"by_the_caller", false, false},
                                         Identity{"by_root_inside", true, false},
                                         Identity{"by_another_user", false, true},
                                         Identity{"by_another_user_as_root", true, true}),
                         [](const auto& identity) { return std::string(identity.param.name); });

}  // namespace
}  // namespace bawn
