// Set-id files: a file that a run leaves on the host must not give the rights of its user or group
// to another local user who executes it. This tries each way to set a mode, in both tiers, as root
// and as an ordinary user.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "fixture.h"
#include "policy/policy.h"

namespace bawn {
namespace {

struct Way {
  const char* verb;
  bool needs_file = false;
  const char* refusal = "EPERM";
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.verb; }

constexpr Way kWays[] = {
    {"mode-by-chmod", true},
    {"mode-by-fchmod", true},
    {"mode-by-fchmodat", true},
    {"mode-by-fchmodat2", true},
    {"mode-by-open"},
    {"mode-by-openat"},
    {"mode-by-creat"},
    {"mode-by-mknod"},
    {"mode-by-mknodat"},
    {"mode-by-unnamed-file"},
    {"mode-by-openat2", false, "ENOSYS"},
};

mode_t set_id_bits(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return 0;
  return found.st_mode & (S_ISUID | S_ISGID);
}

FixturePolicy policy_of(const std::string& profile) {
  FixturePolicy policy = fixture_policy();
  policy.system_calls.profile = profile;
  return policy;
}

bool refuses_set_group_id(const FixturePolicy& policy) {
  return fixture_tier() == Tier::b || geteuid() == 0 || policy.system_calls.profile == "strict";
}

// One way, tried on a file that it creates or finds.
class SetId : public testing::TestWithParam<Way> {
 protected:
  [[nodiscard]] std::string target() const {
    const std::string path = fixture_.workspace() + "/target";
    std::filesystem::remove(path);
    return GetParam().needs_file ? fixture_.file(fixture_.workspace(), "target") : path;
  }
  [[nodiscard]] std::string came_of(const FixturePolicy& policy, const char* mode,
                                    const std::string& path) const {
    return said(fixture_.run_unvalidated(policy, {GetParam().verb, mode, path}));
  }
  // fchmodat2 needs Linux 6.6.
  void SetUp() override {
    if (came_of(unconfined_policy(), "0755", target()) == "ENOSYS")
      GTEST_SKIP() << "this kernel does not have the call";
  }

  void expect_refused(const FixturePolicy& policy, const char* mode) const {
    const std::string path = target();
    EXPECT_EQ(came_of(policy, mode, path), GetParam().refusal) << mode;
    EXPECT_EQ(set_id_bits(path), 0U) << mode;
  }
  void expect_done(const FixturePolicy& policy, const char* mode, mode_t bits) const {
    const std::string path = target();
    EXPECT_EQ(came_of(policy, mode, path), "ok") << mode;
    EXPECT_EQ(set_id_bits(path), bits) << mode;
  }

  const RunFixture fixture_;
};

TEST_P(SetId, WorksWithoutASandbox) {
  expect_done(unconfined_policy(), "04755", S_ISUID);
  expect_done(unconfined_policy(), "02755", S_ISGID);
  expect_done(unconfined_policy(), "0755", 0);
}

TEST_P(SetId, IsRefusedForTheUserInEveryRun) {
  for (const char* mode : {"04755", "06755", "0x7fff000009ed"})
    expect_refused(fixture_policy(), mode);
  if (GetParam().refusal == std::string("EPERM")) expect_done(fixture_policy(), "0755", 0);
}

TEST_P(SetId, IsRefusedForTheGroupWhereItGivesTooMuch) {
  std::vector<FixturePolicy> policies = {fixture_policy()};
  if (fixture_tier() == Tier::c) policies.push_back(policy_of("strict"));
  for (const FixturePolicy& policy : policies) {
    if (refuses_set_group_id(policy) || GetParam().refusal == std::string("ENOSYS")) {
      expect_refused(policy, "02755");
    } else {
      expect_done(policy, "02755", S_ISGID);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(By, SetId, testing::ValuesIn(kWays), [](const auto& way) {
  std::string name = std::string(way.param.verb).substr(8);
  std::erase(name, '-');
  return name;
});

TEST(SetIdDirectory, IsMadeWithoutTheBitsByTheKernelItself) {
  const RunFixture fixture;
  const std::string path = fixture.workspace() + "/made";
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"mode-by-mkdir", "06755", path})),
            "ok");
  EXPECT_TRUE(std::filesystem::is_directory(path));
  EXPECT_EQ(set_id_bits(path), 0U);
}

// git (core.sharedRepository) and tar set this bit, and report it if they cannot.
TEST(SetIdDirectory, KeepsItsGroupWhereTheRunIsNotRoots) {
  const RunFixture fixture;
  const bool refused = refuses_set_group_id(fixture_policy());
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(),
                                         {"mode-by-chmod", "02775", fixture.workspace()})),
            refused ? "EPERM" : "ok");
  EXPECT_EQ(set_id_bits(fixture.workspace()), refused ? 0U : static_cast<unsigned>(S_ISGID));
}

// Another way to a file that gives rights: a file capability. The kernel requires a capability to
// set one.
TEST(FileCapability, CannotBeGiven) {
  const RunFixture fixture;
  const std::string path = fixture.file(fixture.workspace(), "program");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"set-file-capability", path})),
            "EPERM");
  EXPECT_EQ(
      said(fixture.run_unvalidated(unconfined_policy(), {"answering", std::to_string(SYS_setxattr),
                                                         "set-file-capability", path})),
      "EXFULL")
      << "the deed makes the call";
}

TEST(SetIdReceipt, SaysWhichBitsAreRefusedAndByWhichFilter) {
  const RunFixture fixture;
  const Outcome outcome = fixture.run({"exit", "0"});
  const bool group = refuses_set_group_id(fixture_policy());
  EXPECT_EQ(layer_state(outcome, "set_id_files"), LayerState::enforced);
  std::vector<std::string> refused = {"S_ISUID"};
  if (group) refused.emplace_back("S_ISGID");
  EXPECT_TRUE(layer_has(outcome, "set_id_files", {"refused", refused}));
  const char* filter = fixture_tier() == Tier::b ? "no-network-no-memfd"
                       : group                   ? "default-root-no-memfd"
                                                 : "default-no-memfd";
  EXPECT_TRUE(layer_has(outcome, "system_calls", {"filter", filter}));
}

}  // namespace
}  // namespace bawn
