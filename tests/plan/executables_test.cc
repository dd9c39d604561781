// A run whose programs are listed, as a plan: what can be executed and mapped in which tier.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/text.h"
#include "host/system_facts.h"
#include "host/system_paths.h"
#include "plan/plan_parts.h"
#include "policy/policy.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* kLoader = "elf:/lib64/ld.so";

std::map<std::string, std::string> files_of_packages() {
  return {{"/work/.git", "dir"},         {"/work/built", kLoader},
          {"/home/me", "dir"},           {"/tmp", "dir"},
          {"/bin", "link:usr/bin"},      {"/lib", "link:usr/lib"},
          {"/lib64", "link:usr/lib64"},  {"/usr/lib64/ld.so", "link:../lib/x/ld.so"},
          {"/usr/lib/x/ld.so", "exe"},   {"/usr/lib/x/libc.so.6", "exe"},
          {"/usr/lib/git-core", "dir"},  {"/usr/local/lib", "dir"},
          {"/usr/bin/git", kLoader},     {"/usr/bin/sh", "exe"},
          {"/srv/data/tool", kLoader},   {"/srv/out", "dir"},
          {"/opt/kit/bin/kit", kLoader}, {"/opt/kit/lib", "dir"},
          {"/opt/app/app", kLoader},     {"/dev/null", "device"}};
}

class ListedPrograms : public testing::Test {
 protected:
  ListedPrograms() {
    policy.executables.allow = {"git"};
    host = linux_facts();
    host.tier_b = host.tier_c = true;
    host.landlock_abi = 6;
    host.seccomp_filters = true;
    host.process_limit_binds = true;
    host.private_parent = "/tmp";
  }

  Plan made(Tier tier = Tier::c) {
    const FakeLookup lookup(tree_);
    const Request request{.command = command};
    const Verdict verdict = validate(policy, request,
                                     {.tier = tier,
                                      .lookup = &lookup,
                                      .workspace = "/work",
                                      .home = "/home/me",
                                      .lists_executables = true});
    EXPECT_THAT(verdict.violations, IsEmpty());
    PlanResult result =
        test::planned(policy, request, verdict, tier,
                      {.run_id = "run-1", .private_name = "bawn-x", .home = "/home/me"}, host,
                      lookup, {.user_tasks = 1});
    EXPECT_THAT(result.violations, IsEmpty());
    return std::move(result.plan);
  }

  // By guest path: what the last operation there permits. "program" for MountOpKind::program.
  std::map<std::string, std::string> permitted() {
    std::map<std::string, std::string> out;
    const Plan plan = made();
    for (const MountOp& op : test::root_of(plan).mounts) {
      if (op.kind == MountOpKind::program) {
        out[op.destination] = "program";
      } else if (can_have_exec(op.kind)) {
        out[op.destination] = op.exec == MountExec::execute ? "execute"
                              : op.exec == MountExec::map   ? "map"
                                                            : "none";
      }
    }
    return out;
  }

  std::map<std::string, std::string> tree_ = files_of_packages();
  Policy policy = *preset("agent");
  HostFacts host;
  std::string command = "git";
};

TEST_F(ListedPrograms, AloneCanBeExecuted) {
  const auto found = permitted();
  for (const auto& [path, exec] : found) {
    const bool is_listed = path == "/usr/bin/git";
    EXPECT_EQ(exec == "execute", is_listed) << path << " " << exec;
  }
  for (const auto* path :
       {"/usr", "/opt", "/work", "/tmp", "/dev/shm", "/home/me", "/proc", "/dev/null"})
    EXPECT_THAT(found, Contains(Pair(path, "none")));
  EXPECT_THAT(found, Contains(Pair("/usr/lib", "map")));
  EXPECT_THAT(found, Contains(Pair("/usr/local/lib", "map")));
  EXPECT_THAT(found, Contains(Pair("/usr/lib/x/ld.so", "program")));
  EXPECT_THAT(found, Contains(Pair("/usr/lib/git-core", "program")));
  EXPECT_FALSE(found.contains("/usr/lib64/ld.so")) << "a link";
}

// The file that was judged is the one that is mounted: init compares device and inode.
TEST_F(ListedPrograms, AreMountedAsTheFilesThatWereJudged) {
  const FakeLookup lookup(tree_);
  const Plan plan = made();
  const auto& mounts = test::root_of(plan).mounts;
  for (const std::string path : {"/usr/bin/git", "/usr/lib/x/ld.so"}) {
    const auto op = std::ranges::find(mounts, path, &MountOp::destination);
    ASSERT_NE(op, mounts.end());
    EXPECT_EQ(op->source.inode, lookup.locate(path).inode);
    EXPECT_NE(op->source.file, nullptr);
    EXPECT_FALSE(op->writable);
  }
}

TEST_F(ListedPrograms, ComeAfterTheDirectoriesThatHoldThem) {
  const Plan plan = made();
  std::vector<std::string> order;
  for (const MountOp& op : test::root_of(plan).mounts) order.push_back(op.destination);
  const auto place = [&](const char* path) {
    return std::ranges::find(order, path) - order.begin();
  };
  EXPECT_LT(place("/usr"), place("/usr/bin/git"));
  EXPECT_LT(place("/usr/lib"), place("/usr/lib/x/ld.so"));
}

TEST_F(ListedPrograms, LeaveNoTraceWhereEveryProgramIsAllowed) {
  policy.executables.allow_all = true;
  policy.executables.allow.clear();
  const Plan plan = made();
  EXPECT_FALSE(plan.executables);
  EXPECT_EQ(plan.exec_probe, "");
  EXPECT_FALSE(plan.filter()->refuse_memfd);
  const std::vector<MountOp>& mounts = test::root_of(plan).mounts;
  EXPECT_GT(mounts.size(), 10U);
  for (const MountOp& op : mounts) {
    EXPECT_EQ(op.exec, MountExec::execute) << op.destination;
    EXPECT_NE(op.kind, MountOpKind::program) << op.destination;
    EXPECT_NE(op.origin, "libraries") << op.destination;
  }
  EXPECT_THAT(test::root_of(plan).library_directories, IsEmpty());
}

TEST_F(ListedPrograms, CanLieInAWorkspaceThatThePolicyOpens) {
  policy.executables.allow = {"git", "/work/built"};
  EXPECT_THAT(permitted(), Contains(Pair("/work", "none")));
  EXPECT_FALSE(permitted().contains("/work/built"));
  policy.executables.from_workspace = true;
  policy.workspace.protect = {".git"};
  EXPECT_THAT(permitted(), Contains(Pair("/work", "execute")));
  EXPECT_THAT(permitted(), Contains(Pair("/work/.git", "execute"))) << "part of the workspace";
  EXPECT_THAT(permitted(), Contains(Pair("/tmp", "none")));
  EXPECT_FALSE(permitted().contains("/work/built")) << "the workspace is open around it";
  policy.workspace = {.mode = WorkspaceMode::private_dir};
  EXPECT_THAT(permitted(), Contains(Pair("/workspace", "execute")));
}

TEST_F(ListedPrograms, CanLieInAGrant) {
  policy.filesystem.read = {"/srv/data"};
  policy.filesystem.write = {"/srv/out"};
  EXPECT_THAT(permitted(), Contains(Pair("/srv/data", "none")));
  EXPECT_THAT(permitted(), Contains(Pair("/srv/out", "none")));
  policy.executables.allow = {"git", "/srv/data/tool"};
  EXPECT_THAT(permitted(), Contains(Pair("/srv/data", "none")));
  EXPECT_THAT(permitted(), Contains(Pair("/srv/data/tool", "execute")));
  policy.filesystem.read[0].exec = true;
  EXPECT_THAT(permitted(), Contains(Pair("/srv/data", "execute")));
  EXPECT_FALSE(permitted().contains("/srv/data/tool"));
}

// Its path in the run is not the host's.
TEST_F(ListedPrograms, CanLieInAGrantWithADestination) {
  policy.filesystem.read = {{"/srv/data", "/data"}};
  policy.executables.allow = {"git", "/data/tool"};
  const Plan plan = made();
  const auto& mounts = test::root_of(plan).mounts;
  const auto op = std::ranges::find(mounts, "/data/tool", &MountOp::destination);
  ASSERT_NE(op, mounts.end());
  EXPECT_EQ(op->source.path, "/srv/data/tool");
  EXPECT_EQ(op->exec, MountExec::execute);
}

// The run sees this file because it was asked for it.
TEST_F(ListedPrograms, CanBeTheRequestsOwnOutsideOfEveryGrant) {
  policy.executables.allow = {"/srv/data/tool"};
  command = "/srv/data/tool";
  EXPECT_THAT(permitted(), Contains(Pair("/srv/data/tool", "execute")));
  EXPECT_FALSE(permitted().contains("/srv/data"));
}

// A mount of its own would show the file to the run.
TEST_F(ListedPrograms, AreNotShownForThatReason) {
  policy.executables.allow = {"git", "/srv/data/tool"};
  EXPECT_FALSE(permitted().contains("/srv/data/tool"));
}

TEST_F(ListedPrograms, HaveTheLibrariesOfTheirPackage) {
  policy.executables.allow = {"git", "/opt/kit/bin/kit", "/opt/app/app"};
  const auto found = permitted();
  EXPECT_THAT(found, Contains(Pair("/opt/kit/lib", "map")));
  EXPECT_THAT(found, Contains(Pair("/opt/kit/bin/kit", "execute")));
  EXPECT_THAT(found, Contains(Pair("/opt/app", "map"))) << "its libraries lie beside it";
  EXPECT_THAT(found, Contains(Pair("/opt/app/app", "program")));
  EXPECT_FALSE(found.contains("/opt/kit"));
  EXPECT_THAT(test::root_of(made()).library_directories,
              ElementsAre("/opt/app", "/opt/kit/lib", "/usr/lib", "/usr/lib64", "/usr/local/lib"));
}

// There the loader and the libraries of a program lie in packages of their own.
TEST_F(ListedPrograms, CanMapAWholeStore) {
  tree_["/nix/store/a-hello/bin/hello"] = "elf:/nix/store/b-libc/lib/ld.so";
  tree_["/nix/store/b-libc/lib/ld.so"] = "exe";
  policy.executables.allow = {"git", "/nix/store/a-hello/bin/hello"};
  const auto found = permitted();
  EXPECT_THAT(found, Contains(Pair("/nix/store", "map")));
  EXPECT_THAT(found, Contains(Pair("/nix/store/a-hello/bin/hello", "program")));
  EXPECT_THAT(found, Contains(Pair("/nix/store/b-libc/lib/ld.so", "program")));
}

std::vector<std::string> executable_files(const Plan& plan) {
  std::vector<std::string> out;
  for (const FileGrant& grant : plan.files()) {
    if (grant.access == FileAccess::execute) out.push_back(grant.target.path);
  }
  return out;
}

TEST_F(ListedPrograms, AreGrantedByFileInTierB) {
  policy.tier = {TierChoice::b, Tier::b};
  Plan plan = made(Tier::b);
  EXPECT_THAT(executable_files(plan),
              ElementsAre("/usr/bin/git", "/usr/lib/x/ld.so", "/usr/lib/git-core"));
  EXPECT_TRUE(plan.filter()->refuse_memfd);
  EXPECT_FALSE(plan.part<LandlockPlan>()->private_exec);
  policy.executables.from_workspace = true;
  policy.filesystem.read = {"/srv/data"};
  policy.filesystem.read[0].exec = true;
  plan = made(Tier::b);
  EXPECT_THAT(executable_files(plan), ElementsAre("/usr/bin/git", "/usr/lib/x/ld.so",
                                                  "/usr/lib/git-core", "/work", "/srv/data"));
  policy.workspace = {.mode = WorkspaceMode::private_dir};
  EXPECT_TRUE(made(Tier::b).part<LandlockPlan>()->private_exec);
}

// Where files can be mapped, only Landlock can refuse to execute one.
TEST_F(ListedPrograms, AreProbedWithAFileThatLandlockAloneRefuses) {
  EXPECT_EQ(made().exec_probe, "/usr/lib/x/libc.so.6");
  EXPECT_EQ(made(Tier::b).exec_probe, "/usr/lib/x/libc.so.6");
  tree_.erase("/usr/lib/x/libc.so.6");
  EXPECT_EQ(made().exec_probe, "/usr/bin/sh");
  policy.executables.allow = {"git", "sh"};
  EXPECT_EQ(made().exec_probe, "") << "the shell is on the list";
  policy.executables.allow = {"git"};
  policy.filesystem.read = {"/usr"};
  policy.filesystem.read[0].exec = true;
  EXPECT_EQ(made().exec_probe, "") << "everything may be executed";
}

TEST_F(ListedPrograms, KeepTheCommandFromMemoryFilesUnderEveryProfile) {
  for (const auto* profile : {"default", "strict", "/etc/profile.json"}) {
    policy.system_calls.profile = profile;
    EXPECT_TRUE(made().filter()->refuse_memfd) << profile;
  }
}

}  // namespace
}  // namespace bawn
