// The root of a run in tier c: what is in it, what is not, and what the receipt says about it.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <thread>

#include "../cover_proc.h"
#include "../forbid_user_namespaces.h"
#include "fixture.h"
#include "policy/egress_policy.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/limit.h"
#include "policy/policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

using testing::HasSubstr;

TEST(Root, HasTheWorkspaceAtItsOwnPathAndNothingBesideIt) {
  const RunFixture fixture;
  const std::string inside = fixture.file(fixture.workspace(), "inside");
  const std::string outside = fixture.file(fixture.outside(), "outside");
  EXPECT_EQ(said(fixture.run({"print-directory"})), fixture.workspace());
  EXPECT_EQ(said(fixture.run({"read", inside})), "ok");
  EXPECT_EQ(said(fixture.run({"read", outside})), "ENOENT");
  EXPECT_EQ(said(fixture.run({"create", fixture.workspace() + "/new"})), "ok");
  EXPECT_TRUE(std::filesystem::exists(fixture.workspace() + "/new"));
}

TEST(Root, IsReadOnlyButForItsScratchDirectories) {
  const RunFixture fixture;
  for (const char* place : {"/", "/usr/", "/etc/", "/dev/", "/run/", "/var/"}) {
    EXPECT_EQ(said(fixture.run({"create", std::string(place) + "bawn-test"})), "EROFS") << place;
  }
  for (const char* place : {"/tmp/", "/dev/shm/", "/var/tmp/"}) {
    EXPECT_EQ(said(fixture.run({"create", std::string(place) + "bawn-test"})), "ok") << place;
    EXPECT_FALSE(std::filesystem::exists(std::string(place) + "bawn-test")) << place;
  }
}

TEST(Root, HasNoSecretsOfTheHost) {
  const RunFixture fixture;
  for (const char* path :
       {"/etc/shadow", "/etc/machine-id", "/etc/hostname", "/sys/kernel", "/boot"}) {
    EXPECT_EQ(said(fixture.run({"read", path})), "ENOENT") << path;
  }
  for (const char* path : {"/etc/passwd", "/etc/group", "/etc/hosts"}) {
    EXPECT_EQ(said(fixture.run({"read", path})), "ok") << path;
  }
}

TEST(Root, HasAHomeOfItsOwnThatIsEmptyAndGoneAfterwards) {
  const RunFixture fixture;
  const std::string home = fixture.outside();
  fixture.file(home, "token");
  const auto run_at_home = [&](std::vector<std::string> words) {
    return said(
        bawn::run(fixture_policy(), {.command = guest(), .args = std::move(words)},
                  {.workspace = fixture.workspace(), .caller_env = [&](std::string_view name) {
                     return name == "HOME" ? std::optional(home) : std::nullopt;
                   }}));
  };
  EXPECT_EQ(run_at_home({"read", home + "/token"}), "ENOENT");
  EXPECT_EQ(run_at_home({"create", home + "/settings"}), "ok");
  EXPECT_THAT(run_at_home({"list-environment"}), HasSubstr("HOME=" + home + "\n"));
  EXPECT_FALSE(std::filesystem::exists(home + "/settings"));
}

TEST(Root, ShowsGrantsWhereTheyAre) {
  const RunFixture fixture;
  const std::string target = fixture.file(fixture.outside(), "granted");
  FixturePolicy policy = fixture_policy();
  EXPECT_EQ(said(fixture.run(policy, {"read", target})), "ENOENT");
  policy.filesystem.read = {fixture.outside()};
  EXPECT_EQ(said(fixture.run(policy, {"read", target})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "EROFS");
  policy.filesystem.write = {fixture.outside()};
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "ok");
}

// The grant once did not exist under the link's path, although the policy named it so.
TEST(Root, ShowsAGrantByTheNameOfVarRun) {
  if (!std::filesystem::is_symlink("/var/run")) GTEST_SKIP() << "/var/run is no link here";
  const auto entries = std::filesystem::directory_iterator("/run");
  const auto found = std::find_if(begin(entries), end(entries), [](const auto& entry) {
    return entry.is_directory() && !entry.is_symlink() &&
           access(entry.path().c_str(), R_OK | X_OK) == 0;
  });
  if (found == end(entries)) GTEST_SKIP() << "/run has no directory to grant";
  const std::string by_link = "/var/run/" + found->path().filename().string();
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  EXPECT_EQ(said(fixture.run(policy, {"create", by_link + "/new"})), "ENOENT");
  policy.filesystem.read = {by_link};
  EXPECT_EQ(said(fixture.run(policy, {"create", by_link + "/new"})), "EROFS");
  EXPECT_EQ(said(fixture.run(policy, {"create", found->path().string() + "/new"})), "EROFS");
}

// A refused path through a link, such as /var/run/docker.sock, once held only for that path and not
// for the canonical one.
TEST(RefusedPath, IsRefusedByItsRealNameToo) {
  const RunFixture fixture;
  const std::string real = fixture.outside() + "/real";
  const std::string link = fixture.outside() + "/link";
  std::filesystem::create_directories(real + "/keys");
  std::filesystem::create_directory_symlink("real", link);
  const std::string key = fixture.file(real + "/keys", "key");
  const std::string other = fixture.file(real, "other");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {fixture.outside()};
  EXPECT_EQ(said(fixture.run(policy, {"read", key})), "ok");
  policy.arguments.refuse_paths = {link + "/keys"};
  for (const std::string& name : {key, link + "/keys/key"}) {
    const Outcome outcome = fixture.run(policy, {"read", name});
    ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
    EXPECT_EQ(outcome.violations[0].code, "path.refused") << name;
  }
  EXPECT_EQ(said(fixture.run(policy, {"read", other})), "ok");
  // Below a destination, the path in the policy is a guest path.
  policy.filesystem.read = {{real, "/data"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/data/other"})), "ok");
  for (const std::string& refused : {std::string("/data/keys"), link + "/keys"}) {
    policy.arguments.refuse_paths = {refused};
    const Outcome outcome = fixture.run(policy, {"read", "/data/keys/key"});
    ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
    EXPECT_EQ(outcome.violations[0].code, "path.refused") << refused;
  }
}

TEST(Root, KeepsAReadOnlyWorkspaceReadOnly) {
  const RunFixture fixture;
  const std::string target = fixture.file(fixture.workspace(), "file");
  FixturePolicy policy = fixture_policy();
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "ok");
  policy.workspace.mode = WorkspaceMode::read_only;
  EXPECT_EQ(said(fixture.run(policy, {"read", target})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "EROFS");
}

TEST(Root, GivesAPrivateWorkspaceThatLeavesNothing) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  EXPECT_EQ(said(fixture.run(policy, {"print-directory"})), "/workspace");
  EXPECT_EQ(said(fixture.run(policy, {"create", "/workspace/file"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"read", "/workspace/file"})), "ENOENT")
      << "a fresh one each time";
}

// To rename a parent directory and to put another in its place was once a way around a read-only
// mount.
TEST(Protect, HoldsTheFileAndTheDirectoriesThatLeadToIt) {
  const RunFixture fixture;
  const std::string git = fixture.workspace() + "/.git";
  const std::string hooks = git + "/hooks";
  std::filesystem::create_directories(hooks);
  const std::string hook = fixture.file(hooks, "pre-commit");
  const std::string head = fixture.file(git, "HEAD");
  FixturePolicy policy = fixture_policy();
  policy.workspace.git_hooks = GitHooksMode::open;
  EXPECT_EQ(said(fixture.run(policy, {"write", hook})), "ok");
  policy.workspace.protect = {".git/hooks"};
  EXPECT_EQ(said(fixture.run(policy, {"read", hook})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"write", hook})), "EROFS");
  EXPECT_EQ(said(fixture.run(policy, {"create", hooks + "/post-commit"})), "EROFS");
  EXPECT_EQ(said(fixture.run(policy, {"rename", hooks, git + "/elsewhere"})), "EBUSY");
  EXPECT_EQ(said(fixture.run(policy, {"rename", git, fixture.workspace() + "/elsewhere"})),
            "EBUSY");
  EXPECT_EQ(said(fixture.run(policy, {"write", head})), "ok");
  policy.workspace.protect = {};
  EXPECT_EQ(said(fixture.run(policy, {"rename", git, fixture.workspace() + "/elsewhere"})), "ok");
}

// A workspace two directories deep in a writable grant. The directories between the two could once
// be renamed, together with the paths that the policy protects. The command could then put its own
// files at those paths for the next run.
class AroundTheWorkspace : public testing::Test {
 protected:
  AroundTheWorkspace() {
    std::filesystem::create_directories(git_);
    std::filesystem::create_directories(workspace_ + "/deep");
    config_ = fixture_.file(git_, "config");
    policy_.filesystem.write = {fixture_.outside()};
  }

  [[nodiscard]] std::string answer(std::vector<std::string> words) const {
    return said(bawn::run(policy_, {.command = guest(), .args = std::move(words)},
                          {.workspace = workspace_}));
  }
  [[nodiscard]] std::string rename_above() const {
    return answer({"rename", above_, fixture_.outside() + "/b"});
  }

  RunFixture fixture_;
  std::string above_ = fixture_.outside() + "/a";
  std::string workspace_ = above_ + "/ws";
  std::string git_ = workspace_ + "/.git";
  std::string config_;
  FixturePolicy policy_ = fixture_policy();
};

TEST_F(AroundTheWorkspace, AGrantRenamesWhatItHolds) {
  EXPECT_EQ(answer({"write", config_}), "ok");
  EXPECT_EQ(rename_above(), "ok") << "the control of the others";
  EXPECT_FALSE(std::filesystem::exists(config_));
}

TEST_F(AroundTheWorkspace, AGrantIsNoWayToAProtectedName) {
  policy_.workspace.protect = {".git"};
  ASSERT_EQ(rename_above(), "EBUSY");
  EXPECT_EQ(answer({"rename", workspace_, above_ + "/other"}), "EBUSY");
  EXPECT_EQ(answer({"write", config_}), "EROFS");
  EXPECT_EQ(answer({"create", fixture_.outside() + "/new"}), "ok");
  EXPECT_EQ(answer({"create", above_ + "/new"}), "ok")
      << "what holds a name fast may be written as before";
  EXPECT_EQ(answer({"create", workspace_ + "/new"}), "ok");
}

TEST_F(AroundTheWorkspace, AGrantIsNoWayToAHiddenName) {
  policy_.workspace.hide = {"deep/secret"};
  const std::string secret = fixture_.file(workspace_ + "/deep", "secret");
  ASSERT_EQ(rename_above(), "EBUSY");
  EXPECT_EQ(answer({"rename", workspace_ + "/deep", workspace_ + "/other"}), "EBUSY")
      << "the next run would not find what it has to hide";
  EXPECT_TRUE(std::filesystem::exists(secret));
}

TEST_F(AroundTheWorkspace, AGrantIsNoWayToAReadOnlyOne) {
  policy_.workspace.mode = WorkspaceMode::read_only;
  ASSERT_EQ(rename_above(), "EBUSY");
  EXPECT_EQ(answer({"write", config_}), "EROFS");
  EXPECT_EQ(answer({"create", above_ + "/new"}), "ok");
  policy_.workspace.protect = {"deep/.git"};
  EXPECT_EQ(answer({"create", workspace_ + "/deep/new"}), "EROFS")
      << "what leads to a protected name is no more writable than the workspace";
}

// A writable grant inside of a read-only workspace.
TEST_F(AroundTheWorkspace, AGrantInsideIsNoWayToAProtectedName) {
  policy_.workspace.mode = WorkspaceMode::read_only;
  policy_.workspace.protect = {"deep/er/.git"};
  policy_.filesystem.write = {workspace_ + "/deep"};
  std::filesystem::create_directories(workspace_ + "/deep/er/.git");
  EXPECT_EQ(answer({"rename", workspace_ + "/deep/er", workspace_ + "/deep/other"}), "EBUSY");
  EXPECT_EQ(answer({"create", workspace_ + "/deep/er/new"}), "ok");
  policy_.workspace.protect = {};
  EXPECT_EQ(answer({"rename", workspace_ + "/deep/er", workspace_ + "/deep/other"}), "ok");
}

TEST(Protect, ReportsANameThatWasCreatedAlthoughItIsProtected) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.workspace.protect = {".envrc", "absent/below"};
  EXPECT_TRUE(fixture.run(policy, {"exit", "0"}).violations.empty());
  EXPECT_FALSE(std::filesystem::exists(fixture.workspace() + "/.envrc"))
      << "nothing is left by bawn itself";
  const Outcome outcome =
      fixture.run_unvalidated(policy, {"create", fixture.workspace() + "/.envrc"});
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "workspace.protected_created");
  EXPECT_EQ(outcome.violations[0].subject, fixture.workspace() + "/.envrc");
}

TEST(Protect, ReportsALinkToNothingUnderAProtectedName) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.workspace.protect = {".envrc"};
  const Outcome outcome =
      fixture.run_unvalidated(policy, {"symlink", "later", fixture.workspace() + "/.envrc"});
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].subject, fixture.workspace() + "/.envrc");
}

// From now on epoll_ctl() fails in every thread of this process.
bool break_epoll() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_ctl, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

// The command has run, although bawn had to give the run up. The outcome of such a run once did not
// report protected names that the command had created.
TEST(Protect, ReportsWhatWasCreatedBeforeBawnCouldNoLongerSupervise) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.executables.allow = {"sh", "sleep"};
  policy.executables.interpreters = true;
  policy.workspace.protect = {".envrc"};
  const std::string made = fixture.workspace() + "/made";
  ASSERT_EQ(mkfifo(made.c_str(), 0600), 0);
  const int status = in_another_process([&] {
    const int said_made = open(made.c_str(), O_RDWR | O_CLOEXEC);
    const int cancel = eventfd(0, EFD_CLOEXEC);
    std::thread breaker([&] {
      char byte = 0;
      if (read(said_made, &byte, 1) != 1 || !break_epoll()) _exit(1);
      eventfd_write(cancel, 1);
    });
    const Outcome outcome = bawn::run(
        policy, {.command = "sh", .args = {"-c", "echo > .envrc; echo > made; exec sleep 1000"}},
        {.workspace = fixture.workspace()}, cancel);
    // Wakes the thread if the run was refused and wrote nothing.
    if (write(said_made, "", 1) != 1) return 2;
    breaker.join();
    if (outcome.status != Status::failed || outcome.error->kind != FailureKind::runtime_failure)
      return 3;
    return outcome.violations.size() == 1 &&
                   outcome.violations[0].code == "workspace.protected_created"
               ? 0
               : 4;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(std::filesystem::exists(fixture.workspace() + "/.envrc"));
}

TEST(Identity, CanBeRootInsideAndStaysTheCallerOutside) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.identity.as_root = true;
  const Outcome outcome = fixture.run(policy, {"exit", "0"});
  EXPECT_TRUE(layer_has(outcome, "user", {"uid", 0}));
  EXPECT_TRUE(layer_has(outcome, "user", {"gid", 0}));
  // A run of root's has host ids of its own, and its files are root's all the same.
  EXPECT_EQ(layer_has(outcome, "user", {"host_uid", getuid()}), getuid() != 0);
  EXPECT_EQ(layer_has(outcome, "user", {"host_gid", getgid()}), getuid() != 0);
  EXPECT_EQ(layer_has(outcome, "user", {"host_ids", "range"}), getuid() == 0);
  EXPECT_EQ(said(fixture.run(policy, {"create", fixture.workspace() + "/file"})), "ok");
  struct stat made {};
  ASSERT_EQ(stat((fixture.workspace() + "/file").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, getuid());
  EXPECT_EQ(said(fixture.run(policy, {"print-capabilities"})),
            said(fixture.run({"print-capabilities"})));
}

TEST(Identity, OfAnotherIsForRootToGive) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.identity.uid = 12345;
  policy.identity.gid = 12345;
  if (getuid() != 0) {
    const Outcome refused = fixture.run(policy, {"exit", "0"});
    ASSERT_EQ(refused.violations.size(), 1U) << outcome_json(refused);
    EXPECT_EQ(refused.violations[0].code, "identity.unavailable");
    return;
  }
  chmod(std::filesystem::path(fixture.workspace()).parent_path().c_str(), 0755);
  chmod(fixture.workspace().c_str(), 0777);
  // The guest may lie below a directory that only root can read.
  const std::string program = fixture.outside() + "/guest";
  std::filesystem::copy_file(guest(), program);
  policy.executables.allow = {program};
  const Outcome outcome =
      bawn::run(policy, {.command = program, .args = {"create", fixture.workspace() + "/file"}},
                {.workspace = fixture.workspace()});
  EXPECT_EQ(said(outcome), "ok");
  EXPECT_TRUE(layer_has(outcome, "user", {"host_uid", 12345}));
  EXPECT_TRUE(layer_has(outcome, "user", {"host_gid", 12345}));
  struct stat made {};
  ASSERT_EQ(stat((fixture.workspace() + "/file").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, 12345U);
  EXPECT_EQ(made.st_gid, 12345U);
}

// The host name was the run's, but the NIS domain was once still the host's.
TEST(Names, OfTheHostAreHiddenFromTheCommand) {
  if (getuid() != 0) GTEST_SKIP() << "only root can name a host";
  const RunFixture fixture;
  const FixturePolicy unconfined = unconfined_policy();
  const auto are_told = [&](const FixturePolicy& policy, const std::string& names) {
    return in_another_process([&] {
      if (unshare(CLONE_NEWUTS) != 0 || sethostname("host", 4) != 0 ||
          setdomainname("domain", 6) != 0)
        return 1;
      return said(fixture.run(policy, {"print-names"})) == names ? 0 : 2;
    });
  };
  EXPECT_EQ(are_told(unconfined, "host domain"), 0);
  EXPECT_EQ(are_told(fixture_policy(), "bawn (none)"), 0);
}

bool become_member(const std::vector<gid_t>& groups) {
  constexpr uid_t kUser = 12345;
  return setgroups(groups.size(), groups.data()) == 0 && setresgid(kUser, kUser, kUser) == 0 &&
         setresuid(kUser, kUser, kUser) == 0 &&
         prctl(PR_SET_DUMPABLE, 1) == 0;  // otherwise /proc/self belongs to root
}

// A user's own group may also be in the list of supplementary groups. The receipt once said "in 1
// more groups" for it.
TEST(Identity, CountsOnlyTheGroupsBesidesItsOwn) {
  if (getuid() != 0) GTEST_SKIP() << "only root can choose its groups";
  const RunFixture fixture;
  chmod(std::filesystem::path(fixture.workspace()).parent_path().c_str(), 0755);
  chmod(fixture.workspace().c_str(), 0777);
  const std::string program = fixture.outside() + "/guest";
  std::filesystem::copy_file(guest(), program);
  FixturePolicy policy = fixture_policy();
  policy.executables.allow = {program};
  const auto is_told = [&](const std::vector<gid_t>& groups, int others) {
    const int status = in_another_process([&] {
      if (!become_member(groups)) return 1;
      const Outcome outcome = bawn::run(policy, {.command = program, .args = {"exit", "0"}},
                                        {.workspace = fixture.workspace()});
      return layer_has(outcome, "user", {"groups", others}) ? 0 : 2;
    });
    return WEXITSTATUS(status) == 0;
  };
  EXPECT_TRUE(is_told({}, 0));
  EXPECT_TRUE(is_told({12345}, 0));
  EXPECT_TRUE(is_told({12345, 54321}, 1));
  EXPECT_TRUE(is_told({54321, 54322}, 2));
}

// Only the link's target was once protected. The command removed the link and made a directory in
// its place.
TEST(Protect, RefusesASymbolicLink) {
  const RunFixture fixture;
  std::filesystem::create_directories(fixture.workspace() + "/real");
  std::filesystem::create_directory_symlink("real", fixture.workspace() + "/.git");
  FixturePolicy policy = fixture_policy();
  policy.workspace.protect = {".git"};
  const Outcome outcome = fixture.run(policy, {"exit", "0"});
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "path.link");
  EXPECT_THAT(outcome.violations[0].hint, HasSubstr(fixture.workspace() + "/real"));
  policy.workspace.protect = {"real", "real/missing"};
  EXPECT_EQ(fixture.run(policy, {"exit", "0"}).exit_code, 0);
}

// An earlier run had made a hard link while nothing was protected. Through it the file was once
// written and read.
TEST(Protect, RefusesAFileThatHasAnotherName) {
  const RunFixture fixture;
  const std::string guarded = fixture.file(fixture.workspace(), "guarded");
  const std::string second = fixture.workspace() + "/second";
  FixturePolicy protecting = fixture_policy();
  protecting.workspace.protect = {"guarded"};
  FixturePolicy hiding = fixture_policy();
  hiding.workspace.hide = {"guarded"};
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"link", guarded, second})), "ok");
  for (const FixturePolicy& policy : {protecting, hiding}) {
    const Outcome outcome = fixture.run(policy, {"exit", "0"});
    ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
    EXPECT_EQ(outcome.violations[0].code, "path.hard_link");
  }
  std::filesystem::remove(second);
  for (const FixturePolicy& policy : {protecting, hiding}) {
    EXPECT_NE(said(fixture.run_unvalidated(policy, {"write", guarded})), "ok");
    EXPECT_NE(said(fixture.run_unvalidated(policy, {"link", guarded, second})), "ok");
  }
}

// Only the link's target was once hidden. The command replaced the link, and the next run hid
// something else.
TEST(Hide, RefusesASymbolicLink) {
  const RunFixture fixture;
  std::filesystem::create_directories(fixture.workspace() + "/real");
  std::filesystem::create_directory_symlink("real", fixture.workspace() + "/secrets");
  std::filesystem::create_directory_symlink("nowhere", fixture.workspace() + "/dangling");
  FixturePolicy policy = fixture_policy();
  policy.workspace.hide = {"secrets", "dangling"};
  const Outcome outcome = fixture.run(policy, {"exit", "0"});
  ASSERT_EQ(outcome.violations.size(), 2U) << outcome_json(outcome);
  for (const Violation& violation : outcome.violations) EXPECT_EQ(violation.code, "path.link");
  EXPECT_EQ(outcome.violations[0].hint, "hide '" + fixture.workspace() + "/real' instead");
  policy.workspace.hide = {"real"};
  EXPECT_EQ(fixture.run(policy, {"exit", "0"}).exit_code, 0);
}

TEST(Hide, LeavesNothingToSee) {
  const RunFixture fixture;
  const std::string directory = fixture.workspace() + "/secrets";
  std::filesystem::create_directories(directory);
  const std::string key = fixture.file(directory, "key");
  const std::string dotenv = fixture.file(fixture.workspace(), ".env");
  FixturePolicy policy = fixture_policy();
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", key})), "ok");
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", dotenv})), "ok");
  policy.workspace.hide = {"secrets", ".env", "not-there"};
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", key})), "ENOENT");
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"create", directory + "/other"})), "EROFS");
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", dotenv})), "EACCES");
  EXPECT_EQ(
      said(fixture.run_unvalidated(policy, {"rename", directory, fixture.workspace() + "/seen"})),
      "EBUSY");
  EXPECT_FALSE(std::filesystem::exists(fixture.workspace() + "/not-there"));
}

TEST(Exceptions, MustLieInTheWorkspace) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.workspace.hide = {fixture.outside()};
  const Outcome outcome = fixture.run(policy, {"exit", "0"});
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "path.outside_scope");
}

TEST(Workspace, CannotBeAPartOfTheSystem) {
  FixturePolicy policy = fixture_policy();
  policy.executables.from_workspace = true;
  for (const char* place : {"/", "/usr", "/etc", "/usr/share"}) {
    const Outcome outcome =
        bawn::run(policy, {.command = guest(), .args = {"exit", "0"}}, {.workspace = place});
    ASSERT_FALSE(outcome.violations.empty()) << place;
    EXPECT_EQ(outcome.violations[0].code, "workspace.system") << outcome_json(outcome);
  }
}

TEST(Scratch, IsBoundedAndNamedIfItIsFull) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.tmp_bytes = 1 << 20;
  policy.limits.file_bytes = {};
  const auto grow = [&](const char* path, long bytes) {
    return fixture.run(policy, {"grow-file", path, std::to_string(bytes)});
  };
  EXPECT_EQ(grow("/tmp/small", 1 << 16).exit_code, 0);
  for (const char* path : {"/tmp/large", "/dev/shm/large"}) {
    const Outcome full = grow(path, 4 << 20);
    EXPECT_EQ(full.status, Status::exited) << outcome_json(full);
    EXPECT_NE(full.exit_code, 0);
    EXPECT_EQ(full.limit, "tmp");
  }
  EXPECT_EQ(fixture.run(policy, {"exit", "3"}).limit, "") << "a failure of its own";
  policy.limits.tmp_bytes = 64 << 20;
  EXPECT_EQ(grow("/tmp/large", 4 << 20).exit_code, 0);
}

// The smallest accepted size once had no room for the root's own files, and the error named one of
// them.
TEST(Scratch, HasRoomForACommandInTheSmallestSize) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.tmp_bytes = 128 << 10;
  EXPECT_EQ(fixture.run(policy, {"grow-file", "/tmp/small", "4096"}).exit_code, 0);
  policy.limits.tmp_bytes = (128 << 10) - 1;
  const Outcome refused = fixture.run(policy, {"exit", "0"});
  ASSERT_EQ(refused.violations.size(), 1U) << outcome_json(refused);
  EXPECT_THAT(refused.violations[0].message, HasSubstr("from 131072 to "));
}

TEST(Processes, OutsideTheRunDoNotExist) {
  const RunFixture fixture;
  const std::string self = std::to_string(getpid());
  EXPECT_EQ(said(fixture.run({"signal", self, "0"})), "ESRCH");
  EXPECT_EQ(said(fixture.run({"trace", self})), "ESRCH");
  EXPECT_EQ(said(fixture.run({"signal-init"})), "EPERM");
  EXPECT_EQ(said(fixture.run({"read-command-line", self})), "ENOENT");
}

TEST(WithoutNamespaces, NothingRunsBelowTheFloor) {
  const RunFixture fixture;
  const std::string observer = fixture.workspace() + "/observer";
  const int status = in_another_process([&] {
    if (!forbid_user_namespaces()) return 1;
    const Outcome outcome = fixture.run({"create", observer});
    const bool told = outcome.error &&
                      outcome.error->message.find("namespaces") != std::string::npos &&
                      outcome.error->hint.find("bawn doctor") != std::string::npos;
    return exit_code_of(outcome) == 125 && told ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(std::filesystem::exists(observer));
}

TEST(WithoutNamespaces, APolicyThatAcceptsTierBGetsItAndTheReceiptSaysWhy) {
  const RunFixture fixture;
  const std::string observer = fixture.workspace() + "/observer";
  FixturePolicy policy = fixture_policy();
  policy.tier = {TierChoice::automatic, Tier::b};
  EXPECT_EQ(fixture.run(policy, {"exit", "0"}).tier, Tier::c);
  const int status = in_another_process([&] {
    if (!forbid_user_namespaces()) return 1;
    const Outcome outcome = fixture.run(policy, {"create", observer});
    return outcome.tier == Tier::b && layer_state(outcome, "namespaces") == LayerState::absent &&
                   layer_text(outcome, "namespaces", "reason").find("EPERM") != std::string::npos
               ? 0
               : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(observer));
}

// The kernel mounts no new /proc for a process that sees only parts of the old one.
TEST(Proc, IsNotThereWhereTheKernelRefusesANewOne) {
  if (getuid() != 0) GTEST_SKIP() << "only root can cover a part of /proc";
  const RunFixture fixture;
  EXPECT_EQ(said(fixture.run({"read", "/proc/self/status"})), "ok");
  const int status = in_another_process([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        !cover_in_proc("sys")) {
      return 1;
    }
    const Outcome outcome = fixture.run({"read", "/proc/self/status"});
    if (outcome.stdout_stream.data != "ENOENT\n") return 2;
    return layer_has(outcome, "proc", {"fresh", false}) ? 0 : 3;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A user's profile decides what the command may ask of the kernel, but not what it may leave to
// other users.
TEST(OwnProfile, CannotAllowSetIdFiles) {
  const RunFixture fixture;
  const std::string profile = fixture.outside() + "/lenient.json";
  std::ofstream(profile) << R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
    {"names": ["chmod", "openat2", "io_uring_setup"], "action": "SCMP_ACT_ALLOW"}]})";
  FixturePolicy policy = fixture_policy();
  policy.system_calls.profile = profile;
  const std::string path = fixture.file(fixture.workspace(), "target");
  const auto came_of = [&](const std::vector<std::string>& words) {
    return said(fixture.run_unvalidated(policy, words));
  };
  EXPECT_EQ(came_of({"mode-by-chmod", "04755", path}), "EPERM");
  struct stat found {};
  ASSERT_EQ(lstat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07000, 0U);
  EXPECT_EQ(came_of({"mode-by-openat2", "04755", fixture.workspace() + "/new"}), "ENOSYS");
  EXPECT_EQ(came_of({"call", std::to_string(SYS_io_uring_setup), "1", "buffer"}), "ENOSYS");
  EXPECT_EQ(came_of({"mode-by-chmod", "02755", path}), geteuid() == 0 ? "EPERM" : "ok");
  constexpr const char* kReadImpliesExec = "0x400000";
  EXPECT_EQ(came_of({"call", std::to_string(SYS_personality), kReadImpliesExec}), "ok")
      << "the control: the profile allows what `default` refuses";
}

TEST(Receipt, TellsTheNamespacesApart) {
  const RunFixture fixture;
  const Outcome outcome = fixture.run({"exit", "0"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome_json(outcome);
  EXPECT_EQ(outcome.tier, Tier::c);
  EXPECT_TRUE(outcome.was_sandboxed);
  for (const char* name : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
    struct stat ours {};
    ASSERT_EQ(stat((std::string("/proc/self/ns/") + name).c_str(), &ours), 0);
    const std::string layer = std::string("namespace.") + name;
    EXPECT_EQ(layer_state(outcome, layer), LayerState::enforced);
    EXPECT_TRUE(layer_has(outcome, layer, {"callers_inode", ours.st_ino}));
  }
  for (const char* layer : {"process_tree", "session", "open_files", "no_new_privs", "capabilities",
                            "user", "root", "proc", "landlock", "system_calls", "network"}) {
    EXPECT_EQ(layer_state(outcome, layer), LayerState::enforced) << layer;
  }
}

TEST(Receipt, SaysThatASharedNetworkIsShared) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.egress.mode = EgressMode::allow_all;
  const Outcome outcome = fixture.run(policy, {"exit", "0"});
  EXPECT_EQ(layer_state(outcome, "network"), LayerState::not_requested);
  EXPECT_EQ(layer_state(outcome, "namespace.net"), LayerState::not_requested);
  EXPECT_EQ(layer_state(outcome, "namespace.mnt"), LayerState::enforced);
}

}  // namespace
}  // namespace bawn
