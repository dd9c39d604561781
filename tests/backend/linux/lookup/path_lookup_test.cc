#include "backend/linux/lookup/path_lookup.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "refuse_call.h"
#include "sys/fd.h"
#include "validate/unix_lookup_cases.h"

namespace bawn::linux_ {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Linux, UnixLookupCases, FileSystemLookup);

TEST(PathLookup, RefusesLinksThatLeadAnywhere) {
  const FileSystemLookup lookup;
  EXPECT_NE(lookup.locate("/proc/self/root/etc/passwd").error, "");
  EXPECT_NE(lookup.locate(concat("/proc/", getpid(), "/cwd")).error, "");
  EXPECT_NE(lookup.locate("/proc/self/fd/0").error, "");
  EXPECT_EQ(lookup.locate("/proc/self/status").error, "");
}

// link_text() gives nothing for a link whose text does not say where it leads, as /proc/PID/cwd.
TEST(PathLookup, TellsTheTextOfALinkThatIsText) {
  const FileSystemLookup lookup;
  char pattern[] = "/tmp/bawn-test-XXXXXX";
  ASSERT_NE(mkdtemp(pattern), nullptr);
  const std::string directory = pattern;
  ASSERT_EQ(symlink("../elsewhere", (directory + "/link").c_str()), 0);
  ASSERT_EQ(symlink("link", (directory + "/chain").c_str()), 0);
  ASSERT_EQ(symlink(pattern, (directory + "/self").c_str()), 0);
  EXPECT_EQ(lookup.link_text(directory + "/link"), "../elsewhere");
  EXPECT_EQ(lookup.link_text(directory + "/chain"), "link") << "one step, not two";
  EXPECT_EQ(lookup.link_text(directory + "/self/link"), "") << "a link on the way";
  EXPECT_EQ(lookup.link_text(directory), "");
  EXPECT_EQ(lookup.link_text(directory + "/absent"), "");
  EXPECT_EQ(lookup.link_text(concat("/proc/", getpid(), "/cwd")), "");
  EXPECT_EQ(lookup.link_text("/proc/mounts"), "self/mounts");
  for (const char* name : {"/link", "/chain", "/self"}) unlink((directory + name).c_str());
  rmdir(pattern);
}

// Set-id programs are refused, so a look-up must recognise them.
TEST(PathLookup, TellsFilesThatRaisePrivilegesAndThoseOfRoot) {
  char pattern[] = "/tmp/bawn-test-XXXXXX";
  ASSERT_NE(mkdtemp(pattern), nullptr);
  const std::string file = std::string(pattern) + "/file";
  const Fd made(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0700));
  for (const auto& [mode, raises] :
       {std::pair{0755U, false}, {04755U, true}, {02755U, true}, {01755U, false}}) {
    ASSERT_EQ(fchmod(made.get(), mode), 0);
    EXPECT_EQ(FileSystemLookup().locate(file).set_id, raises) << mode;
  }
  EXPECT_FALSE(FileSystemLookup().locate(file).owned_by_root);
  EXPECT_EQ(FileSystemLookup().locate("/etc/passwd").owned_by_root, geteuid() != 0);
  unlink(file.c_str());
  rmdir(pattern);
}

// ---- Shortages

// Every call of a look-up, on every kind of path.
std::optional<Error> shortage_of_all_questions(const FileSystemLookup& lookup,
                                               const std::string& directory) {
  for (const char* name : {"", "/file", "/link", "/link/..", "/absent", "/loop"})
    static_cast<void>(lookup.locate(directory + name));
  static_cast<void>(lookup.link_text(directory + "/link"));
  static_cast<void>(lookup.head(lookup.locate(directory + "/file"), 4));
  static_cast<void>(lookup.sha256(lookup.locate(directory + "/file")));
  return lookup.shortage();
}

class Shortages : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(pattern_), nullptr);
    const Fd made(open((directory() + "/file").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0700));
    ASSERT_EQ(write(made.get(), "text", 4), 4);
    ASSERT_EQ(symlink("file", (directory() + "/link").c_str()), 0);
    ASSERT_EQ(symlink("loop", (directory() + "/loop").c_str()), 0);
  }
  void TearDown() override {
    for (const char* name : {"/file", "/link", "/loop"}) unlink((directory() + name).c_str());
    rmdir(pattern_);
  }
  [[nodiscard]] std::string directory() const { return pattern_; }

 private:
  char pattern_[24] = "/tmp/bawn-test-XXXXXX";
};

TEST_F(Shortages, AreNotSeenInFilesThatAreMissingOrLoopOrMayNotBeRead) {
  const auto shortage = shortage_of_all_questions(FileSystemLookup(), directory());
  EXPECT_FALSE(shortage) << shortage->message;
  const FileSystemLookup lookup;
  static_cast<void>(lookup.locate("/proc/1/root/etc"));
  static_cast<void>(lookup.locate(std::string(5000, 'x')));
  EXPECT_FALSE(lookup.shortage());
}

struct FailingCall {
  const char* name;
  std::uint32_t number;
};

// For each system call of a look-up, a filter in a child answers each errno of a shortage.
TEST_F(Shortages, AreNoticedInEveryCallThatALookUpMakes) {
  const FailingCall calls[] = {
      {"openat", SYS_openat}, {"fstat", SYS_newfstatat},      {"getxattr", SYS_getxattr},
      {"pread", SYS_pread64}, {"faccessat", SYS_faccessat2},  {"fstatfs", SYS_fstatfs},
      {"read", SYS_read},     {"readlinkat", SYS_readlinkat},
  };
  for (const FailingCall& call : calls) {
    for (const int error : {EMFILE, ENFILE, ENOMEM}) {
      const pid_t child = fork();
      if (child == 0) {
        const bool refused = refuse_call({.number = call.number,
                                          .argument = 0,
                                          .test = RefusedCall::Test::is_at_least,
                                          .value = 0,
                                          .error = static_cast<std::uint32_t>(error)});
        if (!refused) _exit(2);
        const auto shortage = shortage_of_all_questions(FileSystemLookup(), directory());
        _exit(shortage && shortage->sys_errno == error ? 0 : 1);
      }
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0) << call.name << ": " << errno_text(error);
    }
  }
}

}  // namespace
}  // namespace bawn::linux_
