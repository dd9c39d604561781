// In tier c two layers guard many things. Each layer is tested with the other one removed.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../refuse_call.h"
#include "fixture.h"
#include "policy/filesystem_policy.h"
#include "policy/policy.h"
#include "policy/workspace_policy.h"
#include "sys/fd.h"

namespace bawn {
namespace {

// Simulates a kernel without Landlock. Cannot be undone: call it in a child process.
bool hide_landlock() {
  return refuse_call({.number = SYS_landlock_create_ruleset,
                      .argument = 2,
                      .test = RefusedCall::Test::equals,
                      .value = LANDLOCK_CREATE_RULESET_VERSION,
                      .error = ENOSYS});
}

// Makes a read-only mount of a run writable, as the owner of its namespaces may.
int take_read_only_away(pid_t process, const std::string& place) {
  const Fd handle(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (setns(handle.get(), CLONE_NEWUSER | CLONE_NEWNS) != 0) return 1;
  struct mount_attr attributes = {};
  attributes.attr_clr = MOUNT_ATTR_RDONLY;
  const long cleared =
      syscall(SYS_mount_setattr, AT_FDCWD, place.c_str(), 0, &attributes, sizeof attributes);
  return cleared == 0 ? 0 : 2;
}

// Tries to write below a read grant, whose mount is made writable while the command waits. Returns
// the guest's answer.
std::string writes_without_mount_flags(const RunFixture& fixture) {
  fixture.file(fixture.outside(), "target");
  const std::string door = fixture.workspace() + "/door";
  if (mkfifo(door.c_str(), 0600) != 0) return "no fifo";
  const std::string mark = marker();
  FixturePolicy policy = fixture_policy();
  // Landlock rights add up: below a directory that may be written, such as /tmp, only the mounts
  // would refuse.
  policy.filesystem.read = {{fixture.outside(), "/data"}};
  Outcome outcome;
  std::atomic<bool> over = false;
  std::thread running([&] {
    outcome = fixture.run(policy, {"once-opened", door, "write", "/data/target", mark});
    over = true;
  });
  std::optional<int> command;
  while (!command && !over) command = process_with_argument(mark);
  const int changed =
      in_another_process([&] { return command ? take_read_only_away(*command, "/data") : 3; });
  const Fd opened(open(door.c_str(), O_RDWR | O_CLOEXEC));
  running.join();
  std::filesystem::remove(door);
  return changed == 0 ? said(outcome) : "the mount was not changed: " + outcome_json(outcome);
}

TEST(LandlockAlone, RefusesToWriteWhereTheMountsWouldLetIt) {
  const RunFixture fixture;
  EXPECT_EQ(writes_without_mount_flags(fixture), "EACCES");
  const int status = in_another_process([&] {
    if (!hide_landlock()) return 1;
    return writes_without_mount_flags(fixture) == "ok" ? 0 : 2;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the control: without either lock it is written to";
}

TEST(MountsAlone, RefuseToWriteWhereThereIsNoLandlock) {
  const RunFixture fixture;
  const std::string granted = fixture.file(fixture.outside(), "granted");
  const std::string kept = fixture.file(fixture.workspace(), "protected");
  const std::string free = fixture.file(fixture.workspace(), "free");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {fixture.outside()};
  policy.workspace.protect = {"protected"};
  const int status = in_another_process([&] {
    if (!hide_landlock()) return 1;
    const Outcome allowed = fixture.run_unvalidated(policy, {"write", free});
    if (layer_state(allowed, "landlock") != LayerState::absent) return 2;
    if (said(allowed) != "ok") return 3;
    for (const std::string& path : {granted, kept}) {
      for (const char* verb : {"write", "truncate", "remove", "change-mode", "touch"}) {
        // A mount point cannot be removed, whatever its flags.
        const std::string wanted =
            verb == std::string("remove") && path == kept ? "EBUSY" : "EROFS";
        if (said(fixture.run_unvalidated(policy, {verb, path})) != wanted) return 4;
      }
    }
    for (const char* place : {"/", "/usr/", "/etc/", "/dev/"}) {
      const std::string path = std::string(place) + "bawn-test";
      if (said(fixture.run_unvalidated(policy, {"create", path})) != "EROFS") return 5;
    }
    return 0;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// With a filter that refuses nothing: what is still refused, another layer refuses.
class WithoutFilter : public testing::Test {
 protected:
  WithoutFilter() {
    const std::string profile = fixture.outside() + "/all.json";
    std::ofstream(profile) << R"({"defaultAction": "SCMP_ACT_ALLOW",
                                  "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ALLOW"}]})";
    policy.system_calls.profile = profile;
  }

  [[nodiscard]] std::string call(const FixturePolicy& by,
                                 const std::vector<std::string>& words) const {
    std::vector<std::string> verb = {"call"};
    verb.insert(verb.end(), words.begin(), words.end());
    return said(fixture.run_unvalidated(by, verb));
  }

  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
};

TEST_F(WithoutFilter, TheCommandHasNoCapabilityAllTheSame) {
  const std::string namespaces = std::to_string(SYS_unshare);
  const std::string keyring = std::to_string(SYS_keyctl);
  EXPECT_EQ(call(fixture_policy(), {keyring, "9999"}), "ENOSYS");
  EXPECT_NE(call(policy, {keyring, "9999"}), "ENOSYS")
      << "the control: the filter lets calls through";
  EXPECT_EQ(call(policy, {namespaces, std::to_string(CLONE_FS)}), "ok");
  EXPECT_EQ(call(policy, {namespaces, std::to_string(CLONE_NEWNS)}), "EPERM");
  EXPECT_EQ(call(policy, {std::to_string(SYS_sethostname), "buffer", "1"}), "EPERM");
  EXPECT_EQ(call(policy, {std::to_string(SYS_chroot), "/"}), "EPERM");
}

// The default filter hides all keyrings, so with it a test cannot see which one the command has.
TEST_F(WithoutFilter, TheSessionKeyringIsNotTheCallers) {
  const int status = in_another_process([&] {
    const long own = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
    if (own < 0) return errno == ENOSYS || errno == EPERM ? 77 : 1;
    const auto keyring_in = [&](const FixturePolicy& by) {
      return said(fixture.run(by, {"print-session-keyring"}));
    };
    if (syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) != own) return 2;
    const Outcome first = fixture.run(policy, {"print-session-keyring"});
    if (std::stol(said(first)) == own) return 3;
    if (!layer_has(first, "keyring", {"serial", std::stol(said(first))})) return 4;
    if (keyring_in(policy) == said(first)) return 5;
    return std::stol(keyring_in(unconfined_policy())) == own ? 6 : 0;
  });
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "this host has no keyrings";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace bawn
