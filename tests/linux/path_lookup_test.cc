#include "linux/path_lookup.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "sys/fd.h"
#include "validate/unix_lookup_cases.h"

namespace bawn {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Linux, UnixLookupCases, FileSystemLookup);

TEST(PathLookup, RefusesLinksThatLeadAnywhere) {
  const FileSystemLookup lookup;
  EXPECT_NE(lookup.locate("/proc/self/root/etc/passwd").trouble, "");
  EXPECT_NE(lookup.locate(concat("/proc/", getpid(), "/cwd")).trouble, "");
  EXPECT_NE(lookup.locate("/proc/self/fd/0").trouble, "");
  EXPECT_EQ(lookup.locate("/proc/self/status").trouble, "");
}

// Where the text does not say where the link leads, it is no answer.
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

// Programs that run with another user's or group's rights are refused, and for that they have to be known.
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
  EXPECT_FALSE(FileSystemLookup().locate(file).of_root);
  EXPECT_EQ(FileSystemLookup().locate("/etc/passwd").of_root, geteuid() != 0);
  unlink(file.c_str());
  rmdir(pattern);
}

}  // namespace
}  // namespace bawn
