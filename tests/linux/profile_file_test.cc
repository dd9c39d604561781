// Profiles of the user's own: read from a file, compiled, and found again, unless somebody else could have put there what
// is found.

#include "linux/profile_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "linux/profile_cache.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfile = R"({
  "defaultAction": "SCMP_ACT_ERRNO", // EPERM
  "syscalls": [{"names": ["read", "write"], "action": "SCMP_ACT_ALLOW"}]
})";

class ProfileFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "bawn-profile-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    place_ = pattern;
    fs::create_directory(runtime());
    ASSERT_EQ(chmod(runtime().c_str(), 0700), 0);
    write(profile(), kProfile);
  }
  void TearDown() override { fs::remove_all(place_); }

  [[nodiscard]] fs::path runtime() const { return place_ / "runtime"; }
  [[nodiscard]] fs::path folder() const { return runtime() / "bawn"; }
  [[nodiscard]] fs::path profile() const { return place_ / "profile.json"; }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  [[nodiscard]] static auto load_from(const fs::path& path, const fs::path& runtime) {
    return load_profile(path, RefusedSetId::user, runtime);
  }
  [[nodiscard]] auto load() const { return load_from(profile(), runtime()); }

  // The one file in the cache.
  [[nodiscard]] fs::path entry() const {
    const fs::directory_iterator found(folder());
    EXPECT_EQ(std::distance(begin(found), end(found)), 1);
    return fs::directory_iterator(folder())->path();
  }

  // Whether the cache gives out the marker, a filter that the compiler would never make of the profile.
  [[nodiscard]] bool uses_marker() const {
    const auto filter = load();
    EXPECT_TRUE(filter.ok());
    return filter.value().size() == std::size(kMarker);
  }
  void keep_marker() const {
    const auto cache = ProfileCache::open(runtime());
    ASSERT_TRUE(cache);
    cache->keep(kProfile, RefusedSetId::user, kMarker);
  }

  static constexpr sock_filter kMarker[] = {{BPF_RET | BPF_K, 0, 0, 0x7fff0000}};

 private:
  fs::path place_;
};

TEST_F(ProfileFile, BecomesAFilter) {
  const auto filter = load_from(profile(), "");
  ASSERT_TRUE(filter.ok()) << filter.error().message;
  EXPECT_GT(filter.value().size(), 5U);
  EXPECT_FALSE(fs::exists(folder()));
}

// bawn's own layers answer ENOSYS; a profile that ends the process instead is not made milder.
TEST_F(ProfileFile, SaysItselfHowItRefuses) {
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

TEST_F(ProfileFile, ThatIsAbsentOrNoFileIsNamed) {
  const auto absent = load_from(profile().string() + "x", runtime());
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().sys_errno, ENOENT);
  EXPECT_NE(absent.error().message.find("profile.jsonx"), std::string::npos) << absent.error().message;

  const auto directory = load_from(runtime(), runtime());
  ASSERT_FALSE(directory.ok());
  EXPECT_NE(directory.error().message.find("not a regular file"), std::string::npos);

  ASSERT_EQ(mkfifo((runtime() / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(load_from(runtime() / "fifo", runtime()).ok());
}

TEST_F(ProfileFile, ThatIsWrongIsNamedWithThePlace) {
  write(
      profile(),
      R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["raed"], "action": "SCMP_ACT_KILL"}]})");
  const auto filter = load();
  ASSERT_FALSE(filter.ok());
  for (const char* part : {"profile.json", "1:", "syscalls[0].names[0]", "'raed'"})
    EXPECT_NE(filter.error().message.find(part), std::string::npos) << filter.error().message;
}

TEST_F(ProfileFile, ThatIsEmptyOrTooLongIsRefused) {
  write(profile(), "");
  EXPECT_FALSE(load().ok());
  write(profile(), std::string(1024 * 1024, ' ') + kProfile);
  const auto filter = load();
  ASSERT_FALSE(filter.ok());
  EXPECT_NE(filter.error().message.find("longer than"), std::string::npos) << filter.error().message;
}

TEST_F(ProfileFile, IsFoundAgainAsItWasCompiled) {
  const auto first = load();
  const auto second = load();
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_EQ(first.value().size(), second.value().size());
  EXPECT_EQ(
      std::memcmp(first.value().data(), second.value().data(), first.value().size() * sizeof(sock_filter)),
      0);
  struct stat status {};
  ASSERT_EQ(stat(entry().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  ASSERT_EQ(stat(folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
}

// The control of all that follows: this is what an entry looks like that is used.
TEST_F(ProfileFile, AnEntryOfOursIsUsed) {
  keep_marker();
  EXPECT_TRUE(uses_marker());
}

TEST_F(ProfileFile, AnEntryIsOfOneTextOnly) {
  keep_marker();
  write(profile(), std::string(kProfile) + " ");
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, AnEntryIsOfOneSetOfRefusedBitsOnly) {
  keep_marker();
  const auto stricter = load_profile(profile(), RefusedSetId::user_and_group, runtime());
  ASSERT_TRUE(stricter.ok());
  EXPECT_NE(stricter.value().size(), std::size(kMarker));
}

TEST_F(ProfileFile, ADamagedEntryIsNotUsedAndMended) {
  keep_marker();
  std::string bytes = text_of(entry());
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write(entry(), bytes);
  EXPECT_FALSE(uses_marker());
  EXPECT_NE(text_of(entry()), bytes);
}

TEST_F(ProfileFile, AnEntryThatIsCutOffOrEmptyIsNotUsed) {
  for (const std::uintmax_t size : {0U, 8U, 32U, 36U}) {
    keep_marker();
    fs::resize_file(entry(), size);
    EXPECT_FALSE(uses_marker()) << size;
  }
}

TEST_F(ProfileFile, AnEntryUnderAnotherNameIsNotUsed) {
  keep_marker();
  const std::string stolen = text_of(entry());
  fs::remove(entry());
  write(profile(), std::string(kProfile) + " ");
  ASSERT_TRUE(load().ok());
  write(entry(), stolen);
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, AnEntryThatOthersMayWriteIsNotUsed) {
  keep_marker();
  ASSERT_EQ(chmod(entry().c_str(), 0620), 0);
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, AnEntryThatIsALinkIsNotUsed) {
  keep_marker();
  const fs::path name = entry();
  fs::rename(name, runtime() / "elsewhere");
  fs::create_symlink(runtime() / "elsewhere", name);
  EXPECT_FALSE(uses_marker());

  keep_marker();
  fs::create_hard_link(entry(), runtime() / "second name");
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, AFolderThatOthersMayUseIsNotUsed) {
  keep_marker();
  ASSERT_EQ(chmod(folder().c_str(), 0770), 0);
  EXPECT_FALSE(uses_marker());
  ASSERT_EQ(chmod(folder().c_str(), 0700), 0);
  EXPECT_TRUE(uses_marker());
  ASSERT_EQ(chmod(runtime().c_str(), 0722), 0);
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, AFolderThatIsALinkIsNotUsed) {
  keep_marker();
  fs::rename(folder(), runtime() / "elsewhere");
  fs::create_directory_symlink(runtime() / "elsewhere", folder());
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, WhatBelongsToAnotherIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  keep_marker();
  ASSERT_EQ(chown(entry().c_str(), 65533, 65533), 0);
  EXPECT_FALSE(uses_marker());
  keep_marker();
  ASSERT_EQ(chown(folder().c_str(), 65533, 65533), 0);
  EXPECT_FALSE(uses_marker());
  ASSERT_EQ(chown(folder().c_str(), 0, 0), 0);
  ASSERT_EQ(chown(runtime().c_str(), 65533, 65533), 0);
  EXPECT_FALSE(uses_marker());
}

TEST_F(ProfileFile, ACacheThatCannotBeIsNoError) {
  EXPECT_TRUE(load_from(profile(), "relative").ok());
  EXPECT_FALSE(fs::exists("relative"));
  EXPECT_TRUE(load_from(profile(), "/proc").ok());
  EXPECT_TRUE(load_from(profile(), profile()).ok());
  write(folder(), "a file");
  EXPECT_TRUE(load().ok());
}

}  // namespace
}  // namespace bawn
