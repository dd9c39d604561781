// Seccomp profiles that a user writes: read from a file and compiled.

#include "backend/linux/seccomp/profile_file.h"

#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "backend/linux/lookup/path_lookup.h"

namespace bawn::linux_ {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfile = R"({
  "defaultAction": "SCMP_ACT_ERRNO", // EPERM
  "syscalls": [{"names": ["read", "write"], "action": "SCMP_ACT_ALLOW"}]
})";

class SeccompProfileFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "bawn-profile-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    place_ = pattern;
    write(profile(), kProfile);
  }
  void TearDown() override { fs::remove_all(place_); }

  [[nodiscard]] const fs::path& place() const { return place_; }
  [[nodiscard]] fs::path profile() const { return place_ / "profile.json"; }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  static Located located(const fs::path& path) { return FileSystemLookup().locate(path.string()); }
  static auto load(const fs::path& path) {
    return load_seccomp_profile(located(path), path, {.set_id = RefusedSetId::user});
  }
  [[nodiscard]] auto load() const { return load(profile()); }

 private:
  fs::path place_;
};

TEST_F(SeccompProfileFile, BecomesAFilter) {
  const auto filter = load();
  ASSERT_TRUE(filter.ok()) << filter.error().message;
  EXPECT_GT(filter.value().size(), 5U);
}

// bawn's layers answer ENOSYS. A profile that kills the process instead keeps its stricter action.
TEST_F(SeccompProfileFile, SaysItselfHowItRefuses) {
  write(profile(), R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
    {"names": ["openat2"], "action": "SCMP_ACT_KILL_PROCESS"}]})");
  const auto filter = load();
  ASSERT_TRUE(filter.ok()) << filter.error().message;
  const pid_t child = fork();
  if (child == 0) {
    const sock_fprog program{static_cast<unsigned short>(filter.value().size()),
                             const_cast<sock_filter*>(filter.value().data())};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
      _exit(111);
    syscall(SYS_openat2, -1, "", nullptr, 0);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
}

TEST_F(SeccompProfileFile, ThatIsAbsentOrNoFileIsNamed) {
  const auto absent = load(profile().string() + "x");
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().sys_errno, ENOENT);
  EXPECT_NE(absent.error().message.find("profile.jsonx"), std::string::npos)
      << absent.error().message;

  const auto directory = load(place());
  ASSERT_FALSE(directory.ok());
  EXPECT_NE(directory.error().message.find("a directory, expected a regular file"),
            std::string::npos);

  ASSERT_EQ(mkfifo((place() / "fifo").c_str(), 0600), 0);
  const auto fifo = load(place() / "fifo");
  ASSERT_FALSE(fifo.ok());
  EXPECT_NE(fifo.error().message.find("a FIFO, expected a regular file"), std::string::npos);
}

// The plan located the file and protects it. A file that was put in its place was not checked.
TEST_F(SeccompProfileFile, IsReadAsItWasLocated) {
  const Located before = located(profile());
  fs::rename(profile(), place() / "moved.json");
  write(profile(), "{}");
  EXPECT_TRUE(load_seccomp_profile(before, "profile.json", {.set_id = RefusedSetId::user}).ok());
  EXPECT_FALSE(load().ok());
}

TEST_F(SeccompProfileFile, ThatIsWrongIsNamedWithThePlace) {
  write(
      profile(),
      R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["raed"], "action": "SCMP_ACT_KILL"}]})");
  const auto filter = load();
  ASSERT_FALSE(filter.ok());
  for (const char* part : {"profile.json", "1:", "syscalls[0].names[0]", "'raed'"})
    EXPECT_NE(filter.error().message.find(part), std::string::npos) << filter.error().message;
}

TEST_F(SeccompProfileFile, ThatIsEmptyOrTooLongIsRefused) {
  write(profile(), "");
  EXPECT_FALSE(load().ok());
  write(profile(), std::string(1024 * 1024, ' ') + kProfile);
  const auto filter = load();
  ASSERT_FALSE(filter.ok());
  EXPECT_NE(filter.error().message.find("longer than"), std::string::npos)
      << filter.error().message;
}

}  // namespace
}  // namespace bawn::linux_
