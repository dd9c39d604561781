#include "validate/scope.h"

#include <gtest/gtest.h>

#include "fake_lookup.h"
#include "policy/filesystem_policy.h"

namespace bawn {
namespace {

using Paths = std::vector<std::string>;

TEST(PathIsWithin, ComparesWholeComponents) {
  EXPECT_TRUE(path_is_within("/work", "/work"));
  EXPECT_TRUE(path_is_within("/work/a", "/work"));
  EXPECT_FALSE(path_is_within("/work-evil", "/work"));
  EXPECT_FALSE(path_is_within("/wor", "/work"));
  EXPECT_FALSE(path_is_within("/Work/a", "/work"));
}

TEST(PathIsWithin, PutsEverythingUnderTheRootAndNothingUnderNothing) {
  EXPECT_TRUE(path_is_within("/etc", "/"));
  EXPECT_TRUE(path_is_within("/", "/"));
  EXPECT_FALSE(path_is_within("/etc", ""));
}

TEST(LexicallyNormal, RemovesWhatOnlySpells) {
  EXPECT_EQ(lexically_normal("/a/./b//../c/"), "/a/c");
  EXPECT_EQ(lexically_normal("/../.."), "/");
  EXPECT_EQ(lexically_normal("a/../../b"), "../b");
  EXPECT_EQ(lexically_normal("a/.."), ".");
}

TEST(MakeScope, ComparesGrantsByWhatTheyPointTo) {
  const FakeLookup lookup{
      {"/work", "dir"}, {"/data", "link:/srv/data"}, {"/srv/data", "dir"}, {"/etc/hosts", "file"}};
  FilesystemPolicy grants;
  grants.write = {"/data"};
  grants.read = {"/etc/hosts", "/nowhere"};
  const Scope scope = make_scope(WorkspaceMode::direct, grants, lookup.locate("/work"), lookup);
  EXPECT_EQ(scope.writable, (Paths{"/work", "/srv/data"}));
  EXPECT_EQ(scope.readable, (Paths{"/work", "/srv/data", "/etc/hosts"}));
  EXPECT_TRUE(scope.can_read("/etc/hosts"));
  EXPECT_FALSE(scope.can_change({.path = "/etc/hosts"}));
  EXPECT_FALSE(scope.can_read("/nowhere"));
}

TEST(WritableLink, IsOneThatTheRunCanLeadElsewhere) {
  const FakeLookup lookup{{"/work/own", "link:/etc"},
                          {"/srv/theirs", "link:/etc"},
                          {"/srv/both", "link:/work/own"},
                          {"/etc/hosts", "file"}};
  const Scope scope = make_scope(WorkspaceMode::direct, {}, lookup.locate("/work"), lookup);
  EXPECT_EQ(scope.writable_link(lookup.locate("/work/own/hosts")), "/work/own");
  EXPECT_EQ(scope.writable_link(lookup.locate("/srv/both/hosts")), "/work/own");
  EXPECT_EQ(scope.writable_link(lookup.locate("/srv/theirs/hosts")), "");
  EXPECT_EQ(scope.writable_link(lookup.locate("/etc/hosts")), "");
}

TEST(MakeScope, MakesNothingWritableInAReadOnlyWorkspace) {
  const FakeLookup lookup{{"/work", "dir"}};
  const Scope scope = make_scope(WorkspaceMode::read_only, {}, lookup.locate("/work"), lookup);
  EXPECT_TRUE(scope.can_read("/work/a"));
  EXPECT_FALSE(scope.can_change({.path = "/work/a"}));
}

// A path from a look-up that failed is never granted, whatever else the look-up found.
TEST(MakeScope, IsNotWidenedByALookUpWithTrouble) {
  const FakeLookup lookup{{"/work", "dir"}};
  Located workspace = lookup.locate("/work");
  EXPECT_TRUE(make_scope(WorkspaceMode::direct, {}, workspace, lookup).can_read("/work"));
  workspace.error = "EIO";
  EXPECT_FALSE(make_scope(WorkspaceMode::direct, {}, workspace, lookup).can_read("/work"));
}

TEST(MakeScope, IsEmptyWithoutWorkspaceAndGrants) {
  const FakeLookup lookup{{"/work", "denied"}};
  const Scope scope = make_scope(WorkspaceMode::direct, {}, lookup.locate("/work"), lookup);
  EXPECT_TRUE(scope.readable.empty());
  EXPECT_FALSE(scope.can_read("/"));
}

}  // namespace
}  // namespace bawn
