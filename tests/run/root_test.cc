// The root that a tier c run is given: what is in it, what is not, and what the receipt says about it.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "../forbid_user_namespaces.h"
#include "yard.h"

namespace bawn {
namespace {

using testing::HasSubstr;

TEST(Root, HasTheWorkspaceAtItsOwnPathAndNothingBesideIt) {
  const Yard yard;
  const std::string inside = yard.file(yard.workspace(), "inside");
  const std::string outside = yard.file(yard.outside(), "outside");
  EXPECT_EQ(said(yard.run({"print-directory"})), yard.workspace());
  EXPECT_EQ(said(yard.run({"read", inside})), "ok");
  EXPECT_EQ(said(yard.run({"read", outside})), "ENOENT");
  EXPECT_EQ(said(yard.run({"create", yard.workspace() + "/new"})), "ok");
  EXPECT_TRUE(std::filesystem::exists(yard.workspace() + "/new"));
}

TEST(Root, IsReadOnlyButForItsScratchDirectories) {
  const Yard yard;
  for (const char* place : {"/", "/usr/", "/etc/", "/dev/", "/run/", "/var/"}) {
    EXPECT_EQ(said(yard.run({"create", std::string(place) + "bawn-test"})), "EROFS") << place;
  }
  for (const char* place : {"/tmp/", "/dev/shm/", "/var/tmp/"}) {
    EXPECT_EQ(said(yard.run({"create", std::string(place) + "bawn-test"})), "ok") << place;
    EXPECT_FALSE(std::filesystem::exists(std::string(place) + "bawn-test")) << place;
  }
}

TEST(Root, HasNoSecretsOfTheHost) {
  const Yard yard;
  for (const char* path : {"/etc/shadow", "/etc/machine-id", "/etc/hostname", "/sys/kernel", "/boot"}) {
    EXPECT_EQ(said(yard.run({"read", path})), "ENOENT") << path;
  }
  for (const char* path : {"/etc/passwd", "/etc/group", "/etc/hosts"}) {
    EXPECT_EQ(said(yard.run({"read", path})), "ok") << path;
  }
}

TEST(Root, HasAHomeOfItsOwnThatIsEmptyAndGoneAfterwards) {
  const Yard yard;
  const std::string home = yard.outside();
  yard.file(home, "token");
  const auto run_at_home = [&](std::vector<std::string> words) {
    return said(bawn::run(yard_policy(), {.command = sandboxee(), .args = std::move(words)},
                          {.workspace = yard.workspace(), .caller_env = [&](std::string_view name) {
                             return name == "HOME" ? std::optional(home) : std::nullopt;
                           }}));
  };
  EXPECT_EQ(run_at_home({"read", home + "/token"}), "ENOENT");
  EXPECT_EQ(run_at_home({"create", home + "/settings"}), "ok");
  EXPECT_THAT(run_at_home({"list-environment"}), HasSubstr("HOME=" + home + "\n"));
  EXPECT_FALSE(std::filesystem::exists(home + "/settings"));
}

TEST(Root, ShowsGrantsWhereTheyAre) {
  const Yard yard;
  const std::string target = yard.file(yard.outside(), "granted");
  Policy policy = yard_policy();
  EXPECT_EQ(said(yard.run(policy, {"read", target})), "ENOENT");
  policy.filesystem.read = {yard.outside()};
  EXPECT_EQ(said(yard.run(policy, {"read", target})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"write", target})), "EROFS");
  policy.filesystem.write = {yard.outside()};
  EXPECT_EQ(said(yard.run(policy, {"write", target})), "ok");
}

TEST(Root, KeepsAReadOnlyWorkspaceReadOnly) {
  const Yard yard;
  const std::string target = yard.file(yard.workspace(), "file");
  Policy policy = yard_policy();
  EXPECT_EQ(said(yard.run(policy, {"write", target})), "ok");
  policy.workspace.mode = WorkspaceMode::read_only;
  EXPECT_EQ(said(yard.run(policy, {"read", target})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"write", target})), "EROFS");
}

TEST(Root, GivesAPrivateWorkspaceThatLeavesNothing) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  EXPECT_EQ(said(yard.run(policy, {"print-directory"})), "/workspace");
  EXPECT_EQ(said(yard.run(policy, {"create", "/workspace/file"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"read", "/workspace/file"})), "ENOENT") << "a fresh one each time";
}

// Renaming an ancestor away and putting another in its place was the way around a read-only mount.
TEST(Protect, HoldsTheFileAndTheDirectoriesThatLeadToIt) {
  const Yard yard;
  const std::string git = yard.workspace() + "/.git";
  const std::string hooks = git + "/hooks";
  std::filesystem::create_directories(hooks);
  const std::string hook = yard.file(hooks, "pre-commit");
  const std::string head = yard.file(git, "HEAD");
  Policy policy = yard_policy();
  EXPECT_EQ(said(yard.run(policy, {"write", hook})), "ok");
  policy.workspace.protect = {".git/hooks"};
  EXPECT_EQ(said(yard.run(policy, {"read", hook})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"write", hook})), "EROFS");
  EXPECT_EQ(said(yard.run(policy, {"create", hooks + "/post-commit"})), "EROFS");
  EXPECT_EQ(said(yard.run(policy, {"rename", hooks, git + "/elsewhere"})), "EBUSY");
  EXPECT_EQ(said(yard.run(policy, {"rename", git, yard.workspace() + "/elsewhere"})), "EBUSY");
  EXPECT_EQ(said(yard.run(policy, {"write", head})), "ok");
  policy.workspace.protect = {};
  EXPECT_EQ(said(yard.run(policy, {"rename", git, yard.workspace() + "/elsewhere"})), "ok");
}

TEST(Protect, ReportsANameThatWasCreatedAlthoughItIsProtected) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.workspace.protect = {".envrc", "absent/below"};
  EXPECT_TRUE(yard.run(policy, {"exit", "0"}).violations.empty());
  EXPECT_FALSE(std::filesystem::exists(yard.workspace() + "/.envrc")) << "nothing is left by bawn itself";
  const Outcome outcome = yard.run_unvalidated(policy, {"create", yard.workspace() + "/.envrc"});
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "workspace.protected_created");
  EXPECT_EQ(outcome.violations[0].subject, yard.workspace() + "/.envrc");
}

TEST(Protect, ReportsALinkToNothingUnderAProtectedName) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.workspace.protect = {".envrc"};
  const Outcome outcome = yard.run_unvalidated(policy, {"symlink", "later", yard.workspace() + "/.envrc"});
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].subject, yard.workspace() + "/.envrc");
}

TEST(Identity, CanBeRootInsideAndIsNobodySpecialOutside) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.identity.as_root = true;
  EXPECT_THAT(layer_evidence(yard.run(policy, {"exit", "0"}), "user"), HasSubstr("uid 0 and gid 0 inside"));
  EXPECT_EQ(said(yard.run(policy, {"create", yard.workspace() + "/file"})), "ok");
  struct stat made {};
  ASSERT_EQ(stat((yard.workspace() + "/file").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, getuid());
  EXPECT_EQ(said(yard.run(policy, {"print-capabilities"})), said(yard.run({"print-capabilities"})));
}

TEST(Identity, OfAnotherIsForRootToGive) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.identity.uid = 12345;
  policy.identity.gid = 12345;
  if (getuid() != 0) {
    const Outcome refused = yard.run(policy, {"exit", "0"});
    ASSERT_EQ(refused.violations.size(), 1U) << outcome_json(refused);
    EXPECT_EQ(refused.violations[0].code, "identity.unavailable");
    return;
  }
  chmod(std::filesystem::path(yard.workspace()).parent_path().c_str(), 0755);
  chmod(yard.workspace().c_str(), 0777);
  // The tree may lie where only root can read.
  const std::string program = yard.outside() + "/sandboxee";
  std::filesystem::copy_file(sandboxee(), program);
  policy.executables.allow = {program};
  const Outcome outcome =
      bawn::run(policy, {.command = program, .args = {"create", yard.workspace() + "/file"}},
                {.workspace = yard.workspace()});
  EXPECT_EQ(said(outcome), "ok");
  EXPECT_THAT(layer_evidence(outcome, "user"), HasSubstr("12345 and 12345 on the host"));
  struct stat made {};
  ASSERT_EQ(stat((yard.workspace() + "/file").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, 12345U);
  EXPECT_EQ(made.st_gid, 12345U);
}

bool become_member(const std::vector<gid_t>& groups) {
  constexpr uid_t kUser = 12345;
  return setgroups(groups.size(), groups.data()) == 0 && setresgid(kUser, kUser, kUser) == 0 &&
         setresuid(kUser, kUser, kUser) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0;  // or /proc/self is root's
}

// A user who is in one group is in its list once more, and was told to be "in 1 more groups".
TEST(Identity, IsToldTheGroupsThatItKeepsBesidesItsOwn) {
  if (getuid() != 0) GTEST_SKIP() << "only root can choose its groups";
  const Yard yard;
  chmod(std::filesystem::path(yard.workspace()).parent_path().c_str(), 0755);
  chmod(yard.workspace().c_str(), 0777);
  const std::string program = yard.outside() + "/sandboxee";
  std::filesystem::copy_file(sandboxee(), program);
  Policy policy = yard_policy();
  policy.executables.allow = {program};
  const auto is_told = [&](const std::vector<gid_t>& groups, std::string_view words) {
    const int status = in_another_process([&] {
      if (!become_member(groups)) return 1;
      const Outcome outcome =
          bawn::run(policy, {.command = program, .args = {"exit", "0"}}, {.workspace = yard.workspace()});
      return layer_evidence(outcome, "user").ends_with(words) ? 0 : 2;
    });
    return WEXITSTATUS(status) == 0;
  };
  EXPECT_TRUE(is_told({}, ", in no other group"));
  EXPECT_TRUE(is_told({12345}, ", in no other group"));
  EXPECT_TRUE(is_told({12345, 54321}, ", in 1 more group of the caller, which only root can leave"));
  EXPECT_TRUE(is_told({54321, 54322}, ", in 2 more groups of the caller, which only root can leave"));
}

// Only what the link leads to was protected; the command removed the link and made a directory of its own.
TEST(Protect, RefusesASymbolicLink) {
  const Yard yard;
  std::filesystem::create_directories(yard.workspace() + "/real");
  std::filesystem::create_directory_symlink("real", yard.workspace() + "/.git");
  Policy policy = yard_policy();
  policy.workspace.protect = {".git"};
  const Outcome outcome = yard.run(policy, {"exit", "0"});
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "path.link");
  EXPECT_THAT(outcome.violations[0].hint, HasSubstr(yard.workspace() + "/real"));
  policy.workspace.protect = {"real", "real/missing"};
  EXPECT_EQ(yard.run(policy, {"exit", "0"}).exit_code, 0);
}

TEST(Hide, LeavesNothingToSee) {
  const Yard yard;
  const std::string directory = yard.workspace() + "/secrets";
  std::filesystem::create_directories(directory);
  const std::string key = yard.file(directory, "key");
  const std::string dotenv = yard.file(yard.workspace(), ".env");
  Policy policy = yard_policy();
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", key})), "ok");
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", dotenv})), "ok");
  policy.workspace.hide = {"secrets", ".env", "not-there"};
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", key})), "ENOENT");
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"create", directory + "/other"})), "EROFS");
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", dotenv})), "EACCES");
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"rename", directory, yard.workspace() + "/seen"})), "EBUSY");
  EXPECT_FALSE(std::filesystem::exists(yard.workspace() + "/not-there"));
}

TEST(Exceptions, MustLieInTheWorkspace) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.workspace.hide = {yard.outside()};
  const Outcome outcome = yard.run(policy, {"exit", "0"});
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "path.outside_scope");
}

TEST(Workspace, CannotBeAPartOfTheSystem) {
  Policy policy = yard_policy();
  policy.executables.from_workspace = true;
  for (const char* place : {"/", "/usr", "/etc", "/usr/share"}) {
    const Outcome outcome =
        bawn::run(policy, {.command = sandboxee(), .args = {"exit", "0"}}, {.workspace = place});
    ASSERT_FALSE(outcome.violations.empty()) << place;
    EXPECT_EQ(outcome.violations[0].code, "workspace.system") << outcome_json(outcome);
  }
}

TEST(Scratch, IsBoundedAndNamedIfItIsFull) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.limits.tmp_bytes = 1 << 20;
  policy.limits.file_bytes = {};
  const auto grow = [&](const char* path, long bytes) {
    return yard.run(policy, {"grow-file", path, std::to_string(bytes)});
  };
  EXPECT_EQ(grow("/tmp/small", 1 << 16).exit_code, 0);
  for (const char* path : {"/tmp/large", "/dev/shm/large"}) {
    const Outcome full = grow(path, 4 << 20);
    EXPECT_EQ(full.status, Status::exited) << outcome_json(full);
    EXPECT_NE(full.exit_code, 0);
    EXPECT_EQ(full.limit, "tmp");
  }
  EXPECT_EQ(yard.run(policy, {"exit", "3"}).limit, "") << "a failure of its own";
  policy.limits.tmp_bytes = 64 << 20;
  EXPECT_EQ(grow("/tmp/large", 4 << 20).exit_code, 0);
}

TEST(Processes, OutsideTheRunDoNotExist) {
  const Yard yard;
  const std::string self = std::to_string(getpid());
  EXPECT_EQ(said(yard.run({"signal", self, "0"})), "ESRCH");
  EXPECT_EQ(said(yard.run({"trace", self})), "ESRCH");
  EXPECT_EQ(said(yard.run({"signal-keeper"})), "EPERM");
  EXPECT_EQ(said(yard.run({"read-command-line", self})), "ENOENT");
}

TEST(WithoutNamespaces, NothingRunsBelowTheFloor) {
  const Yard yard;
  const std::string witness = yard.workspace() + "/witness";
  const int status = in_another_process([&] {
    if (!forbid_user_namespaces()) return 1;
    const Outcome outcome = yard.run({"create", witness});
    const bool told = outcome.error && outcome.error->message.find("namespaces") != std::string::npos &&
                      outcome.error->hint.find("bawn doctor") != std::string::npos;
    return exit_code_of(outcome) == 125 && told ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(std::filesystem::exists(witness));
}

TEST(WithoutNamespaces, APolicyThatAcceptsTierBGetsItAndTheReceiptSaysWhy) {
  const Yard yard;
  const std::string witness = yard.workspace() + "/witness";
  Policy policy = yard_policy();
  policy.tier = {TierChoice::automatic, Tier::b};
  EXPECT_EQ(yard.run(policy, {"exit", "0"}).tier, Tier::c);
  const int status = in_another_process([&] {
    if (!forbid_user_namespaces()) return 1;
    const Outcome outcome = yard.run(policy, {"create", witness});
    return outcome.tier == Tier::b && layer_state(outcome, "namespaces") == LayerState::absent &&
                   layer_evidence(outcome, "namespaces").find("EPERM") != std::string::npos
               ? 0
               : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(witness));
}

// The kernel gives no new /proc to whoever sees only parts of the old one.
TEST(Proc, IsNotThereWhereTheKernelRefusesANewOne) {
  if (getuid() != 0) GTEST_SKIP() << "only root can cover a part of /proc";
  const Yard yard;
  EXPECT_EQ(said(yard.run({"read", "/proc/self/status"})), "ok");
  const int status = in_another_process([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", "/proc/sys", "tmpfs", 0, nullptr) != 0) {
      return 1;
    }
    const Outcome outcome = yard.run({"read", "/proc/self/status"});
    if (outcome.stdout_stream.data != "ENOENT\n") return 2;
    return layer_evidence(outcome, "proc").starts_with("none") ? 0 : 3;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Receipt, TellsTheNamespacesApart) {
  const Yard yard;
  const Outcome outcome = yard.run({"exit", "0"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome_json(outcome);
  EXPECT_EQ(outcome.tier, Tier::c);
  EXPECT_TRUE(outcome.was_sandboxed);
  for (const char* name : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
    struct stat ours {};
    ASSERT_EQ(stat((std::string("/proc/self/ns/") + name).c_str(), &ours), 0);
    const std::string layer = std::string("namespace.") + name;
    EXPECT_EQ(layer_state(outcome, layer), LayerState::enforced);
    EXPECT_THAT(layer_evidence(outcome, layer), HasSubstr(std::to_string(ours.st_ino)));
  }
  for (const char* layer : {"process_tree", "session", "open_files", "no_new_privs", "capabilities", "user",
                            "root", "proc", "landlock", "system_calls", "network"}) {
    EXPECT_EQ(layer_state(outcome, layer), LayerState::enforced) << layer;
  }
}

TEST(Receipt, SaysThatASharedNetworkIsShared) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.egress.mode = EgressMode::none;
  const Outcome outcome = yard.run(policy, {"exit", "0"});
  EXPECT_EQ(layer_state(outcome, "network"), LayerState::not_requested);
  EXPECT_EQ(layer_state(outcome, "namespace.net"), LayerState::not_requested);
  EXPECT_EQ(layer_state(outcome, "namespace.mnt"), LayerState::enforced);
}

}  // namespace
}  // namespace bawn
