// The Landlock ruleset of tier b alone, without the seccomp filter: as values for each Landlock
// ABI, and enforced on a child process.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "backend/linux/landlock/ruleset.h"
#include "backend/linux/lookup/path_lookup.h"
#include "host/probe.h"
#include "plan/plan_parts.h"

namespace bawn::linux_ {
namespace {

constexpr std::uint64_t kReading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kDeviceNodes = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;

TEST(LandlockRights, HandleAllThatTheKernelKnows) {
  struct Known {
    int abi;
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scoped;
  };
  for (const auto& [abi, files, network, scoped] : {Known{1, 0x1fff, 0, 0},
                                                    {2, 0x3fff, 0, 0},
                                                    {3, 0x7fff, 0, 0},
                                                    {4, 0x7fff, 3, 0},
                                                    {5, 0xffff, 3, 0},
                                                    {6, 0xffff, 3, 3},
                                                    {7, 0xffff, 3, 3}}) {
    const RulesetAttributes closed = ruleset_attributes(true, abi);
    EXPECT_EQ(closed.handled_access_fs, files) << abi;
    EXPECT_EQ(closed.handled_access_net, network) << abi;
    EXPECT_EQ(closed.scoped, scoped) << abi;
    const RulesetAttributes open = ruleset_attributes(false, abi);
    EXPECT_EQ(open.handled_access_fs, files) << abi;
    EXPECT_EQ(open.handled_access_net, 0U) << abi;
    EXPECT_EQ(open.scoped, scoped) << abi;
  }
}

TEST(LandlockRights, GrantNoMoreThanTheirNames) {
  for (int abi = 1; abi <= 7; ++abi) {
    const LandlockRights rights = landlock_rights(abi);
    const std::uint64_t handled = ruleset_attributes(true, abi).handled_access_fs;
    EXPECT_EQ(rights.read, kReading) << abi;
    EXPECT_EQ(rights.write, handled & ~kDeviceNodes) << abi;
    EXPECT_EQ(rights.device,
              handled & (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | 3ULL << 14))
        << abi;
  }
}

TEST(LandlockRights, AreNoneWhereTheKernelHasNoLandlock) {
  const auto none = make_ruleset_of_grants(Plan{}, 0);
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none.value().fd);
  EXPECT_EQ(none.value().rights.write, 0U);
}

// A directory with one path of each kind.
class RulesetOfGrants : public testing::Test {
 protected:
  void SetUp() override {
    abi_ = probe_host().landlock_abi;
    if (abi_ == 0) GTEST_SKIP() << "this kernel has no Landlock";
    std::string pattern = "/tmp/bawn-landlock-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    for (const char* name : {"read", "write", "neither"}) {
      std::filesystem::create_directory(place(name));
      std::ofstream(place(name) + "/file") << "content";
    }
    std::ofstream(place("single")) << "content";
    test::part_of<LandlockPlan>(plan_).files = {
        {lookup_.locate(place("single")), FileAccess::write, "filesystem.write"},
        {lookup_.locate(place("read")), FileAccess::read, "filesystem.read"},
        {lookup_.locate(place("write")), FileAccess::write, "workspace"},
        {lookup_.locate("/dev/null"), FileAccess::device, "system"}};
  }
  void TearDown() override {
    if (!root_.empty()) std::filesystem::remove_all(root_);
  }

  [[nodiscard]] std::string place(const std::string& name) const { return root_ + "/" + name; }

  // The errno of the action under the ruleset, 0 if it worked, -1 if the ruleset could not be
  // enforced.
  [[nodiscard]] int inside(const std::function<bool()>& deed) const {
    const pid_t child = fork();
    if (child == 0) {
      const auto ruleset = make_ruleset_of_grants(plan_, abi_);
      if (!ruleset || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
          syscall(SYS_landlock_restrict_self, ruleset.value().fd.get(), 0) != 0)
        _exit(255);
      _exit(deed() ? 0 : errno);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] int opens(const std::string& path, int flags) const {
    return inside([&] { return open(path.c_str(), flags | O_CLOEXEC, 0600) != -1; });
  }

  int abi_ = 0;
  std::string root_;
  FileSystemLookup lookup_;
  Plan plan_;
};

TEST_F(RulesetOfGrants, LetsThroughWhatIsGrantedAndNothingElse) {
  EXPECT_EQ(opens(place("read") + "/file", O_RDONLY), 0);
  EXPECT_EQ(opens(place("read") + "/file", O_WRONLY), EACCES);
  EXPECT_EQ(opens(place("read") + "/new", O_WRONLY | O_CREAT), EACCES);
  EXPECT_EQ(opens(place("write") + "/file", O_RDWR), 0);
  EXPECT_EQ(opens(place("write") + "/new", O_WRONLY | O_CREAT), 0);
  EXPECT_EQ(opens(place("neither") + "/file", O_RDONLY), EACCES);
  EXPECT_EQ(opens(place("neither"), O_RDONLY | O_DIRECTORY), EACCES);
  EXPECT_EQ(opens(place("single"), O_RDWR), 0) << "a file, for which most rights make no sense";
  EXPECT_EQ(opens("/dev/null", O_RDWR), 0);
  EXPECT_EQ(opens("/dev/zero", O_RDONLY), EACCES);
}

// EACCES comes from Landlock. Without Landlock a process without CAP_MKNOD gets EPERM, and root
// succeeds.
TEST_F(RulesetOfGrants, LetsNoDeviceNodeBeMadeNotEvenWhereItMayWrite) {
  const auto node = [&] {
    return mknod((place("write") + "/node").c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;
  };
  EXPECT_EQ(inside(node), EACCES);
}

// In tier b the filter refuses the socket first. In a run without a filter only Landlock would.
TEST_F(RulesetOfGrants, RefusesTcpOfARunWithoutNetwork) {
  if (abi_ < kAbiNet) GTEST_SKIP() << "this kernel's Landlock knows no network";
  const int service = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(service, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(service, 1), 0);
  ASSERT_EQ(getsockname(service, reinterpret_cast<sockaddr*>(&address), &length), 0);
  const auto connects = [&] {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return connect(fd, reinterpret_cast<sockaddr*>(&address), length) == 0;
  };
  const auto binds = [&] {
    sockaddr_in any = address;
    any.sin_port = 0;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return bind(fd, reinterpret_cast<sockaddr*>(&any), length) == 0;
  };
  plan_.network.reach = NetworkReach::nothing;
  EXPECT_EQ(inside(connects), EACCES);
  EXPECT_EQ(inside(binds), EACCES);
  plan_.network.reach = NetworkReach::everything;
  EXPECT_EQ(inside(connects), 0);
  EXPECT_EQ(inside(binds), 0);
  close(service);
}

TEST_F(RulesetOfGrants, RefusesSignalsToProcessesOutside) {
  if (abi_ < kAbiScope) GTEST_SKIP() << "this kernel's Landlock knows no signals";
  const pid_t outside = getpid();
  EXPECT_EQ(kill(outside, 0), 0);
  EXPECT_EQ(inside([&] { return kill(outside, 0) == 0; }), EPERM);
  EXPECT_EQ(inside([&] { return kill(getpid(), 0) == 0; }), 0);
}

}  // namespace
}  // namespace bawn::linux_
