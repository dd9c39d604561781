#include "validate/guest_paths.h"

#include <gtest/gtest.h>

#include "fake_lookup.h"
#include "policy/filesystem_policy.h"

namespace bawn {
namespace {

// "/a" is granted at "/b", and the host has other files at "/b".
const FakeLookup& tree() {
  static const FakeLookup tree{{"/a/file", "file"},
                               {"/a/inner/tool", "exe"},
                               {"/a/relative", "link:inner/tool"},
                               {"/a/by-run", "link:/b/file"},
                               {"/a/by-host", "link:/a/file"},
                               {"/a/above", "link:../b/file"},
                               {"/a/out", "link:/etc/shadow"},
                               {"/a/loop", "link:loop"},
                               {"/a/closed", "denied"},
                               {"/b/file", "file"},
                               {"/b/only-on-host", "file"},
                               {"/etc/shadow", "file"},
                               {"/into-a", "link:/a/file"},
                               {"/into-b", "link:b/file"},
                               {"/proc/self/fd/3", "magic"},
                               {"/linked", "link:/elsewhere"},
                               {"/elsewhere/x", "file"},
                               {"/c/deep", "file"}};
  return tree;
}

GuestPaths view(std::vector<GuestMapping> places = {{"/b", "/a"}}) {
  return {tree(), std::move(places)};
}

TEST(GuestPaths, HasAGrantAtItsDestinationAndNotWhereTheHostHasIt) {
  const Located file = view().locate("/b/file");
  EXPECT_EQ(file.path, "/b/file");
  EXPECT_EQ(file.separate_host_path, "/a/file");
  EXPECT_EQ(host_path(file), "/a/file");
  EXPECT_EQ(file.inode, tree().locate("/a/file").inode);
  EXPECT_NE(file.inode, tree().locate("/b/file").inode) << "what the host has there is covered";
  EXPECT_EQ(view().locate("/b/only-on-host").kind, FileKind::missing);
  EXPECT_EQ(view().locate("/b/only-on-host").separate_host_path, "/a/only-on-host")
      << "where it would be made";
  EXPECT_EQ(view().locate("/a/file").kind, FileKind::missing);
  EXPECT_EQ(view().locate("/a").kind, FileKind::missing);
  EXPECT_EQ(view().locate("/b").kind, FileKind::directory);
}

TEST(GuestPaths, LeavesEverythingElseWhereItIs) {
  const Located file = view().locate("/etc/shadow");
  EXPECT_EQ(file.inode, tree().locate("/etc/shadow").inode);
  EXPECT_EQ(file.separate_host_path, "");
  EXPECT_EQ(view().locate("/a-other").kind, FileKind::missing);
  EXPECT_EQ(view().locate("/c/deep").kind, FileKind::regular);
}

TEST(GuestPaths, ReadsTheTextOfALinkAsANameOfTheRun) {
  EXPECT_EQ(view().locate("/b/relative").path, "/b/inner/tool");
  EXPECT_EQ(view().locate("/b/relative").separate_host_path, "/a/inner/tool");
  EXPECT_EQ(view().locate("/b/by-run").separate_host_path, "/a/file");
  EXPECT_EQ(view().locate("/b/above").separate_host_path, "/a/file")
      << "the parent of /b is the run's root";
  EXPECT_EQ(view().locate("/b/by-host").kind, FileKind::missing);
  EXPECT_EQ(view().locate("/b/by-host").path, "/a/file");
  EXPECT_EQ(view().locate("/into-a").kind, FileKind::missing);
  EXPECT_EQ(view().locate("/into-b").separate_host_path, "/a/file");
  EXPECT_EQ(view().locate("/b/out").path, "/etc/shadow");
  EXPECT_EQ(view().locate("/b/inner/../../etc/shadow").path, "/etc/shadow");
}

TEST(GuestPaths, IsInTroubleWhereTheHostIs) {
  EXPECT_EQ(view().locate("/b/closed/x").error, "permission denied");
  EXPECT_EQ(view().locate("/b/loop").error, "too many links");
  EXPECT_NE(view().locate("/proc/self/fd/3").error, "");
  EXPECT_NE(view().locate(std::string_view("/b/\0x", 5)).error, "");
}

// A look-up that cannot read the text of links.
class BlindLookup final : public PathLookup {
 public:
  [[nodiscard]] Located locate(std::string_view path) const override { return tree().locate(path); }
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override {
    return tree().head(file, most);
  }
  [[nodiscard]] std::string sha256(const Located& file) const override {
    return tree().sha256(file);
  }
};

TEST(GuestPaths, FollowsNoLinkWhoseTextIsUnknown) {
  const BlindLookup blind;
  const GuestPaths view(blind, {{"/b", "/a"}});
  EXPECT_EQ(view.locate("/b/file").separate_host_path, "/a/file");
  EXPECT_NE(view.locate("/b/relative").error, "");
  EXPECT_NE(view.locate("/b/by-host").error, "");
}

TEST(GuestPaths, GivesNamesToTheInnerOfTwoPlaces) {
  const GuestPaths nested = view({{"/b", "/a"}, {"/b/inner", "/c"}});
  EXPECT_EQ(nested.locate("/b/inner/deep").separate_host_path, "/c/deep");
  EXPECT_EQ(nested.locate("/b/inner/tool").kind, FileKind::missing);
  EXPECT_EQ(nested.locate("/b/file").separate_host_path, "/a/file");
}

TEST(GuestPaths, StillHasWhatLiesInAMovedDirectoryAndIsGrantedWhereItIs) {
  const GuestPaths both = view({{"/b", "/a"}, {"/a/inner", "/a/inner"}});
  EXPECT_EQ(both.locate("/a/inner/tool").kind, FileKind::regular);
  EXPECT_EQ(both.locate("/a/inner/tool").separate_host_path, "");
  EXPECT_EQ(both.locate("/a/file").kind, FileKind::missing);
}

TEST(GuestPaths, HasADirectoryOnTheWayToAPlaceWhateverTheHostHasThere) {
  const GuestPaths linked = view({{"/linked/data", "/a"}});
  EXPECT_EQ(linked.locate("/linked/data/file").separate_host_path, "/a/file");
  EXPECT_EQ(linked.locate("/linked").kind, FileKind::directory);
  EXPECT_EQ(linked.locate("/linked").path, "/linked");
  EXPECT_NE(linked.locate("/linked/x").kind, FileKind::regular)
      << "there is no link to follow in the run";
}

TEST(ShownPlaces, AreTheSystemTheWorkspaceTheGrantsAndTheCallersPath) {
  FilesystemPolicy policy;
  policy.read = {{"/a", "/b"}, "/linked", "/absent"};
  policy.write = {{"/into-a", "/out"}};
  ValidationContext context;
  context.lookup = &tree();
  context.system = {"/usr"};
  context.search = {"/a/inner", "/b/inner"};
  std::vector<std::string> shown;
  for (const GuestMapping& place : guest_mappings(policy, tree().locate("/c"), context))
    shown.push_back(place.source + " at " + place.destination);
  EXPECT_EQ(shown, (std::vector<std::string>{"/usr at /usr", "/c at /c", "/a at /b",
                                             "/elsewhere at /elsewhere", "/a/file at /out",
                                             "/a/inner at /a/inner"}))
      << "what a grant covers is none of the caller's";
}

TEST(GuestPaths, ShowsASingleFileUnderAnotherName) {
  const GuestPaths renamed = view({{"/data/name", "/a/inner/tool"}});
  const Located file = renamed.locate("/data/name");
  EXPECT_EQ(file.separate_host_path, "/a/inner/tool");
  EXPECT_EQ(renamed.head(file, 4),
            "\x7f"
            "ELF");
  EXPECT_EQ(renamed.sha256(file), FakeLookup::sha256_of_path("/a/inner/tool"));
  EXPECT_EQ(renamed.locate("/data/name/x").kind, FileKind::missing);
  EXPECT_EQ(renamed.locate("/data").kind, FileKind::directory);
}

}  // namespace
}  // namespace bawn
