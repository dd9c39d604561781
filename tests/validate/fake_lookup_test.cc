// Every path test trusts the fake, so the fake has tests of its own.
#include "fake_lookup.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bawn {
namespace {

TEST(FakeLookup, FollowsLinksAndResolvesDotsPhysically) {
  const FakeLookup lookup{{"/work/a", "link:/srv/deep/dir"},
                          {"/srv/deep/dir", "dir"},
                          {"/srv/deep/x", "file"},
                          {"/work/b", "link:../srv/deep"}};
  EXPECT_EQ(lookup.locate("/work/a/../x").path, "/srv/deep/x");
  EXPECT_EQ(lookup.locate("/work/a/../x").kind, FileKind::regular);
  EXPECT_EQ(lookup.locate("/work/b/x").path, "/srv/deep/x");
  EXPECT_EQ(lookup.locate("//work/./b//x/").path, "/srv/deep/x");
  EXPECT_EQ(lookup.locate("/../..").path, "/");
}

TEST(FakeLookup, ReportsADanglingLinkAsMissingAtItsTarget) {
  const FakeLookup lookup{{"/work/new", "link:/etc/cron.d/evil"}};
  const Located located = lookup.locate("/work/new");
  EXPECT_EQ(located.path, "/etc/cron.d/evil");
  EXPECT_EQ(located.kind, FileKind::missing);
  EXPECT_EQ(located.error, "");
  EXPECT_EQ(located.file, nullptr);
}

TEST(FakeLookup, TellsTroubleFromAbsence) {
  const FakeLookup lookup{
      {"/a", "link:/b"}, {"/b", "link:/a"}, {"/root", "denied"}, {"/proc/1/root", "magic"}};
  EXPECT_EQ(lookup.locate("/a").error, "too many links");
  EXPECT_EQ(lookup.locate("/root/.ssh/id").error, "permission denied");
  EXPECT_EQ(lookup.locate("/proc/1/root/etc").error, "a magic link");
  EXPECT_EQ(lookup.locate("/nothing").error, "");
}

TEST(FakeLookup, TellsCopiesFromHardLinks) {
  const FakeLookup lookup{{"/usr/bin/bash", "exe"},
                          {"/work/copy", "copy:/usr/bin/bash"},
                          {"/work/hard", "hardlink:/usr/bin/bash"}};
  const Located bash = lookup.locate("/usr/bin/bash");
  const Located copy = lookup.locate("/work/copy");
  const Located hard = lookup.locate("/work/hard");
  EXPECT_EQ(copy.size, bash.size);
  EXPECT_NE(copy.inode, bash.inode);
  EXPECT_EQ(hard.inode, bash.inode);
  EXPECT_EQ(bash.link_count, 2U);
  EXPECT_EQ(copy.link_count, 1U);
  EXPECT_EQ(lookup.sha256(copy), lookup.sha256(bash));
  EXPECT_EQ(lookup.sha256(bash), FakeLookup::sha256_of_path("/usr/bin/bash"));
  EXPECT_EQ(lookup.sha256(bash).size(), 64U);
  EXPECT_EQ(lookup.head(copy, 4),
            "\x7f"
            "ELF");
}

TEST(FakeLookup, GivesAScriptItsFirstLine) {
  const FakeLookup lookup{{"/work/run", "script:#!/usr/bin/env python3"}};
  EXPECT_EQ(lookup.head(lookup.locate("/work/run"), 100), "#!/usr/bin/env python3\n");
  EXPECT_TRUE(lookup.locate("/work/run").executable);
}

TEST(FakeLookup, RefusesASpecItDoesNotKnow) {
  EXPECT_THROW((FakeLookup{{"/a", "diretory"}}), std::invalid_argument);
}

}  // namespace
}  // namespace bawn
