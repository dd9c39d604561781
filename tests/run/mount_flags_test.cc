// The flags of every mount of a root in tier c, as the kernel lists them inside. No attempt would
// reveal a wrong flag: Landlock hides a mount that is writable by mistake, and no_new_privs one
// that honours set-id bits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "../become_root_of.h"
#include "fixture.h"
#include "policy/filesystem_policy.h"
#include "policy/policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReadOnly = "ro,nosuid,nodev";  // unless the table says otherwise
constexpr const char* kWritable = "rw,nosuid,nodev";
constexpr const char* kDevice = "ro,nosuid,dev";  // a device can be written to on a read-only mount
constexpr const char* kTerminals = "rw,nosuid,dev";

using Flags = std::map<std::string, std::string>;  // by mount point

// "rw,nodev,relatime" -> "rw,suid,nodev"
std::string three_flags(const std::string& options) {
  const std::string listed = "," + options + ",";
  const auto has = [&](const char* flag) { return listed.find(flag) != std::string::npos; };
  return std::string(has(",ro,") ? "ro" : "rw") + (has(",nosuid,") ? ",nosuid" : ",suid") +
         (has(",nodev,") ? ",nodev" : ",dev");
}

// The flags of the last mount at each mount point, which is the visible one. statvfs() must report
// the same flags.
Flags flags_listed(const std::string& lines) {
  Flags flags;
  std::map<std::string, std::string> told;
  std::istringstream text(lines);
  for (std::string place, options; text >> place >> options >> told[place];)
    flags[place] = three_flags(options);
  for (const auto& [place, mount] : flags) EXPECT_EQ(told[place], mount) << place;
  return flags;
}

// A host with mounts in all kinds of places, each writable, with devices and with set-id bits.
class MountFlags : public testing::Test {
 protected:
  MountFlags() {
    for (const std::string& place : {ro, rw, elsewhere, fixture.workspace()})
      fs::create_directories(place + "/below");
    fs::create_directories(fixture.workspace() + "/kept/deep");
    fs::create_directories(fixture.workspace() + "/secret");
    fixture.file(fixture.workspace(), "hidden-file");
    fixture.file(fixture.workspace() + "/kept/deep", "protected-file");
    policy.workspace.protect = {"kept/deep/protected-file"};
    policy.workspace.hide = {"secret", "hidden-file"};
    policy.filesystem.read = {ro, {elsewhere, "/data/ro"}};
    policy.filesystem.write = {rw, {elsewhere, "/data/rw"}};
  }

  [[nodiscard]] bool mount_below() const {
    for (const std::string& place : {ro, rw, elsewhere, fixture.workspace()}) {
      if (mount("below", (place + "/below").c_str(), "tmpfs", 0, nullptr) != 0) return false;
    }
    return mount("below", kInSystem, "tmpfs", 0, nullptr) == 0;
  }

  // The mounts that the command lists in a run on such a host.
  [[nodiscard]] Flags flags_inside() const {
    const std::string list = fixture.outside() + "/list";
    const int status = in_another_process([&] {
      if (!become_root_of(CLONE_NEWNS) || !mount_below()) return 1;
      const Outcome outcome =
          bawn::run(policy, {.command = guest(), .args = {"list-mounts"}},
                    {.workspace = fixture.workspace(), .caller_env = [&](auto name) {
                       return name == "HOME" ? std::optional(home) : std::nullopt;
                     }});
      std::ofstream(list) << (outcome.success() ? outcome.stdout_stream.data
                                                : outcome_json(outcome));
      return outcome.success() ? 0 : 2;
    });
    std::ifstream file(list);
    const std::string lines{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(WEXITSTATUS(status), 0) << lines;
    return flags_listed(lines);
  }

  static constexpr const char* kInSystem = "/usr/share";
  const RunFixture fixture;
  const std::string ro = fixture.outside() + "/ro";
  const std::string rw = fixture.outside() + "/rw";
  const std::string elsewhere = fixture.outside() + "/elsewhere";
  const std::string home = fixture.outside() + "/home";
  FixturePolicy policy = fixture_policy();

  // All other mounts are read-only.
  [[nodiscard]] Flags exceptions() const {
    Flags flags;
    for (const char* device :
         {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"})
      flags[device] = kDevice;
    flags["/dev/pts"] = kTerminals;
    const std::string work = fixture.workspace();
    for (const std::string& place :
         {work, work + "/below", work + "/kept", work + "/kept/deep", rw, rw + "/below",
          std::string("/data/rw"), std::string("/data/rw/below"), std::string("/tmp"),
          std::string("/var/tmp"), std::string("/dev/shm"), home})
      flags[place] = kWritable;
    return flags;
  }

  // The read-only mounts that every root has.
  [[nodiscard]] std::set<std::string> read_only() const {
    const std::string work = fixture.workspace();
    return {"/",
            "/usr",
            kInSystem,
            "/proc",
            "/proc/keys",
            "/proc/key-users",
            ro,
            ro + "/below",
            "/data/ro",
            "/data/ro/below",
            work + "/secret",
            work + "/hidden-file",
            work + "/kept/deep/protected-file"};
  }

  void expect_flags(const Flags& found) const {
    Flags wanted = exceptions();
    for (const std::string& place : read_only()) wanted[place] = kReadOnly;
    for (const auto& [place, flags] : wanted)
      EXPECT_TRUE(found.contains(place)) << place << " is no mount";
    for (const auto& [place, flags] : found)
      EXPECT_EQ(flags, wanted.contains(place) ? wanted.at(place) : kReadOnly) << place;
  }
};

TEST_F(MountFlags, LetNothingThroughButWhatTheTableSays) {
  fs::create_directory(home);
  expect_flags(flags_inside());
}

TEST_F(MountFlags, AreTheSameForACommandThatIsProcess1) {
  fs::create_directory(home);
  policy.identity.as_pid_1 = true;
  expect_flags(flags_inside());
}

TEST_F(MountFlags, OfAReadOnlyWorkspaceHoldForAllOfIt) {
  policy.workspace.mode = WorkspaceMode::read_only;
  const Flags found = flags_inside();
  const std::string work = fixture.workspace();
  for (const std::string& place : {work, work + "/below"}) {
    ASSERT_TRUE(found.contains(place)) << place;
    EXPECT_EQ(found.at(place), kReadOnly) << place;
  }
}

// The control: the host's mounts have weaker flags, so the flags inside come from the run.
TEST_F(MountFlags, OfTheHostAreWeaker) {
  const int status = in_another_process([&] {
    if (!become_root_of(CLONE_NEWNS) || !mount_below()) return 1;
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
      std::istringstream fields(line);
      std::string skipped, place, options;
      fields >> skipped >> skipped >> skipped >> skipped >> place >> options;
      if (place == ro + "/below") return three_flags(options) == "rw,suid,dev" ? 0 : 2;
    }
    return 3;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace bawn
