#include "linux/path_lookup.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/text.h"
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

}  // namespace
}  // namespace bawn
