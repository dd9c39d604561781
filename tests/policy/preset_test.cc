#include "policy/preset.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/policy_check.h"

namespace bawn {
namespace {

constexpr std::uint64_t kMiB = 1024 * 1024;
constexpr std::string_view kBlocklistPresets[] = {"basic", "strict", "network-isolated"};

bool blocks(const Policy& policy, std::string_view program) {
  const auto& block = policy.executables.block;
  return std::find(block.begin(), block.end(), program) != block.end();
}

TEST(Preset, EveryNameHasAPolicyAndASummary) {
  ASSERT_EQ(preset_names().size(), 6U);
  for (const std::string_view name : preset_names()) {
    EXPECT_TRUE(preset(name).has_value()) << name;
    EXPECT_FALSE(preset_summary(name).empty()) << name;
  }
}

TEST(Preset, AnUnknownNameIsNeverADefault) {
  for (const auto* name :
       {"", "agents", "Agent", "disable", "none", "network_isolated", " agent"}) {
    EXPECT_FALSE(preset(name).has_value()) << name;
    EXPECT_EQ(preset_summary(name), "");
  }
}

TEST(Preset, EveryPresetIsAConsistentPolicy) {
  for (const std::string_view name : preset_names()) {
    for (const json::Problem& problem : check_policy(*preset(name)))
      ADD_FAILURE() << name << json::to_string(problem);
  }
}

TEST(Preset, WorkspaceServesAPersonBehindTierC) {
  const Policy policy = *preset("workspace");
  EXPECT_EQ(policy.tier.use, TierChoice::automatic);
  EXPECT_EQ(policy.tier.floor, Tier::c);
  EXPECT_EQ(policy.workspace.mode, WorkspaceMode::direct);
  EXPECT_TRUE(policy.executables.allow_all && policy.executables.interpreters &&
              policy.executables.from_workspace);
  EXPECT_EQ(policy.egress.mode, EgressMode::block_all);
  EXPECT_EQ(policy.filesystem.tmp, Tmp::private_dir);
  EXPECT_EQ(policy.limits, Limits{});
}

TEST(Preset, AgentDeniesByDefault) {
  const Policy policy = *preset("agent");
  EXPECT_EQ(policy.tier.floor, Tier::b);
  EXPECT_FALSE(policy.executables.allow_all || policy.executables.interpreters ||
               policy.executables.from_workspace);
  EXPECT_TRUE(policy.executables.allow.empty());
  EXPECT_EQ(policy.egress.mode, EgressMode::strict);
  EXPECT_TRUE(policy.egress.hosts.empty() && policy.egress.dns_suffixes.empty());
  EXPECT_TRUE(policy.filesystem.read.empty() && policy.filesystem.write.empty());
  EXPECT_EQ(policy.limits.cpu_time_ms, 2000U);
  EXPECT_EQ(policy.limits.wall_time_ms, 30'000U);
  EXPECT_EQ(policy.limits.memory_bytes, 256 * kMiB);
  EXPECT_EQ(policy.limits.output_bytes, 64U * 1024);
  EXPECT_EQ(policy.background.processes, 0U);
  EXPECT_TRUE(policy.redaction.enabled);
}

TEST(Preset, AgentLeavesNoLimitOpen) {
  const Limits limits = preset("agent")->limits;
  for (const Limit& limit :
       {limits.cpu_time_ms, limits.wall_time_ms, limits.memory_bytes, limits.processes,
        limits.open_files, limits.file_bytes, limits.output_bytes, limits.tmp_bytes}) {
    EXPECT_TRUE(limit.has_value());
  }
}

TEST(Preset, TheThreeBlocklistModesRefuseTheDangerousCommands) {
  for (const std::string_view name : kBlocklistPresets) {
    const Policy policy = *preset(name);
    for (const auto* program : {"rm", "rmdir", "mv", "dd", "mkfs", "fdisk", "sudo", "su", "chmod",
                                "chown", "kill", "pkill"}) {
      EXPECT_TRUE(blocks(policy, program)) << name << " " << program;
    }
    EXPECT_FALSE(blocks(policy, "ls"));
    EXPECT_EQ(policy.arguments.refuse_patterns,
              (std::vector<std::string>{"rm -rf", "> /dev/", "| sh", "| bash", "$(", "`"}));
    EXPECT_TRUE(policy.executables.allow_all && policy.executables.interpreters);
    EXPECT_EQ(policy.tier.floor, Tier::b);
  }
}

TEST(Preset, BasicAllowsTheNetwork) {
  const Policy policy = *preset("basic");
  EXPECT_EQ(policy.egress.mode, EgressMode::allow_all);
  EXPECT_FALSE(blocks(policy, "curl"));
  EXPECT_EQ(policy.limits.memory_bytes, 512 * kMiB);
  EXPECT_EQ(policy.limits.wall_time_ms, 60'000U);
  EXPECT_EQ(policy.limits.processes, 10U);
}

TEST(Preset, StrictTakesNetworkDirectoryAndSystemPathsAway) {
  const Policy policy = *preset("strict");
  for (const auto* program : {"curl", "wget", "nc", "netcat", "ssh", "scp"}) {
    EXPECT_TRUE(blocks(policy, program)) << program;
  }
  EXPECT_EQ(policy.egress.mode, EgressMode::block_all);
  EXPECT_EQ(policy.workspace.mode, WorkspaceMode::private_dir);
  EXPECT_EQ(policy.arguments.refuse_paths,
            (std::vector<std::string>{"/etc", "/var", "/usr", "/bin", "/sbin", "/root", "/home",
                                      "/sys", "/proc"}));
  EXPECT_EQ(policy.limits.memory_bytes, 256 * kMiB);
  EXPECT_EQ(policy.limits.wall_time_ms, 30'000U);
  EXPECT_EQ(policy.limits.processes, 5U);
}

TEST(Preset, NetworkIsolatedIsBasicWithoutNetwork) {
  Policy policy = *preset("network-isolated");
  EXPECT_EQ(policy.egress.mode, EgressMode::block_all);
  policy.egress.mode = EgressMode::allow_all;
  EXPECT_EQ(policy, *preset("basic"));
}

TEST(Preset, OnlyDisabledGoesWithoutASandbox) {
  for (const std::string_view name : preset_names()) {
    const Policy policy = *preset(name);
    const bool disabled = name == "disabled";
    EXPECT_EQ(policy.tier.use == TierChoice::unconfined, disabled) << name;
    EXPECT_EQ(policy.tier.floor == Tier::unconfined, disabled) << name;
  }
}

}  // namespace
}  // namespace bawn
