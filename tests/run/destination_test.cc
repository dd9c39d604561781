// Grants that a run in tier c sees at another path than the host has them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "../forbid_user_namespaces.h"
#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> codes(const Outcome& outcome) {
  std::vector<std::string> out;
  for (const Violation& violation : outcome.violations) out.push_back(violation.code);
  return out;
}

// Every path below the directory, with the content of files. Two results are equal if nothing has
// changed.
std::vector<std::string> everything_in(const std::string& directory) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    out.push_back(entry.path().string() +
                  (entry.is_regular_file() ? "=" + content(entry.path()) : ""));
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Destination, ShowsAGrantThereAndNotWhereTheHostHasIt) {
  const RunFixture fixture;
  const std::string on_host = fixture.file(fixture.outside(), "file");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.outside(), "/data/deep"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/data/deep/file"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"read", on_host})), "ENOENT");
  policy.filesystem.read.emplace_back(fixture.outside());
  EXPECT_EQ(said(fixture.run(policy, {"read", on_host})), "ok") << "both at once";
  EXPECT_EQ(said(fixture.run(policy, {"read", "/data/deep/file"})), "ok");
  EXPECT_FALSE(fs::exists("/data/deep"));
}

TEST(Destination, KeepsItsAccess) {
  const RunFixture fixture;
  const std::string on_host = fixture.file(fixture.outside(), "file");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.outside(), "/data"}};
  EXPECT_EQ(said(fixture.run(policy, {"write", "/data/file"})), "EROFS");
  EXPECT_EQ(said(fixture.run(policy, {"create", "/data/new"})), "EROFS");
  EXPECT_EQ(said(fixture.run(policy, {"truncate", "/data/file"})), "EROFS");
  EXPECT_EQ(content(on_host), "content");
  policy.filesystem = {{}, {{fixture.outside(), "/data"}}, Tmp::private_dir};
  EXPECT_EQ(said(fixture.run(policy, {"write", "/data/file"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"create", "/data/new"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"truncate", "/data/file"})), "ok");
  EXPECT_EQ(content(on_host), "");
  EXPECT_TRUE(fs::exists(fixture.outside() + "/new"));
  EXPECT_EQ(said(fixture.run(policy, {"create", "/data-other"})), "EROFS")
      << "the root around it is sealed";
}

TEST(Destination, TakesASingleFileUnderAnotherName) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.file(fixture.outside(), "settings"), "/etc/tool.conf"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/etc/tool.conf"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"read", "/etc/passwd"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"write", "/etc/tool.conf"})), "EROFS");
}

TEST(Destination, LiesBelowScratchDirectories) {
  const RunFixture fixture;
  fixture.file(fixture.outside(), "file");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.outside(), "/tmp/data"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/tmp/data/file"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"create", "/tmp/data/new"})), "EROFS");
  EXPECT_EQ(said(fixture.run(policy, {"create", "/tmp/new"})), "ok");
  policy.filesystem.read = {{fixture.outside(), "/var/tmp/data"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/var/tmp/data/file"})), "ok");
  policy.filesystem.read = {{fixture.outside(), "/run/data"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/run/data/file"})), "ok");
}

// The executed file is the file that was validated, under either path.
TEST(Destination, HasProgramsThatRun) {
  const RunFixture fixture;
  fs::copy_file(guest(), fixture.outside() + "/tool");
  FixturePolicy policy = fixture_policy();
  policy.executables.allow = {"/tools/tool"};
  policy.filesystem.read = {{fixture.outside(), "/tools"}};
  const auto run = [&](const std::string& command) {
    return bawn::run(policy, {.command = command, .args = {"print-directory"}},
                     {.workspace = fixture.workspace()});
  };
  EXPECT_EQ(said(run("/tools/tool")), fixture.workspace());
  EXPECT_THAT(codes(run(fixture.outside() + "/tool")), ElementsAre("executable.not_found"));
  fs::create_symlink("/tools/tool", fixture.outside() + "/by-run");
  fs::create_symlink(fixture.outside() + "/tool", fixture.outside() + "/by-host");
  EXPECT_EQ(said(run("/tools/by-run")), fixture.workspace());
  EXPECT_THAT(codes(run("/tools/by-host")), ElementsAre("executable.not_found"));
  policy.filesystem = {{}, {{fixture.outside(), "/tools"}}, Tmp::private_dir};
  EXPECT_THAT(codes(run("/tools/tool")), ElementsAre("executable.from_workspace"));
  policy.executables.from_workspace = true;
  EXPECT_EQ(said(run("/tools/tool")), fixture.workspace());
}

TEST(Destination, CanBeTheWorkingDirectory) {
  const RunFixture fixture;
  fs::create_directories(fixture.outside() + "/sub");
  fixture.file(fixture.outside() + "/sub", "file");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.outside(), "/data"}};
  const auto run_in = [&](const std::string& cwd, std::vector<std::string> words) {
    return bawn::run(policy, {.command = guest(), .args = std::move(words), .cwd = cwd},
                     {.workspace = fixture.workspace()});
  };
  EXPECT_EQ(said(run_in("/data/sub", {"print-directory"})), "/data/sub");
  EXPECT_EQ(said(run_in("/data/sub", {"read", "file"})), "ok");
  EXPECT_EQ(said(run_in("/data", {"print-directory"})), "/data");
  EXPECT_THAT(codes(run_in(fixture.outside(), {"print-directory"})),
              ElementsAre("cwd.outside_scope"));
}

TEST(Destination, CoversWhatTheHostHasThere) {
  const RunFixture fixture;
  const std::string covered = fixture.workspace() + "/sub";
  fs::create_directories(covered);
  fixture.file(covered, "of-the-workspace");
  fixture.file(fixture.outside(), "of-the-grant");
  const auto before = everything_in(fixture.workspace());
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.outside(), covered}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "sub/of-the-grant"})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"read", "sub/of-the-workspace"})), "ENOENT");
  EXPECT_EQ(said(fixture.run(policy, {"create", "sub/new"})), "EROFS")
      << "read-only inside of a writable one";
  EXPECT_EQ(said(fixture.run(policy, {"rename", covered, fixture.workspace() + "/away"})), "EBUSY");
  EXPECT_EQ(everything_in(fixture.workspace()), before);
  EXPECT_EQ(said(fixture.run(policy, {"create", "beside"})), "ok");
}

TEST(Destination, IsNeverMadeOnTheHost) {
  const RunFixture fixture;
  const std::string file = fixture.file(fixture.workspace(), "file");
  fixture.file(fixture.outside(), "file");
  const auto before = everything_in(fixture.workspace());
  FixturePolicy policy = fixture_policy();
  for (const std::string& place :
       {fixture.workspace() + "/absent", file, fixture.workspace() + "/absent/deep"}) {
    policy.filesystem.read = {{fixture.outside(), place}};
    const Outcome outcome = fixture.run(policy, {"exit", "0"});
    EXPECT_THAT(codes(outcome), ElementsAre("grant.no_ground")) << place;
    EXPECT_THAT(outcome_json(outcome), HasSubstr("nothing is made on the host")) << place;
  }
  fs::create_directory_symlink(fixture.outside(), fixture.workspace() + "/link");
  policy.filesystem.read = {{fixture.outside(), fixture.workspace() + "/link"}};
  EXPECT_THAT(codes(fixture.run(policy, {"exit", "0"})), ElementsAre("grant.no_ground"))
      << "a link is no ground";
  fs::remove(fixture.workspace() + "/link");
  EXPECT_EQ(everything_in(fixture.workspace()), before);
}

// A link inside the grant is resolved in the run. It does not reach the host's file at that path.
TEST(Destination, IsNoWayOut) {
  const RunFixture fixture;
  const std::string beside = fs::path(fixture.outside()).parent_path().string() + "/beside";
  fs::create_directories(beside);
  fixture.file(beside, "secret");
  fixture.file(fixture.outside(), "file");
  fs::create_symlink(beside + "/secret", fixture.outside() + "/absolute");
  fs::create_symlink("../beside/secret", fixture.outside() + "/relative");
  fs::create_symlink(fixture.outside() + "/file", fixture.outside() + "/by-host");
  fs::create_symlink("/data/file", fixture.outside() + "/by-run");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.write = {{fixture.outside(), "/data"}};
  for (const char* link :
       {"/data/absolute", "/data/relative", "/data/by-host", "/data/../beside/secret"}) {
    EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", link})), "ENOENT") << link;
  }
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", "/data/by-run"})), "ok");
  policy.filesystem.read = {beside};
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"read", "/data/absolute"})), "ok")
      << "the links are sound";
}

TEST(Destination, IsNotLeftOutWhereThereAreNoNamespaces) {
  const RunFixture fixture;
  const std::string observer = fixture.workspace() + "/observer";
  FixturePolicy policy = fixture_policy();
  policy.tier = {TierChoice::automatic, Tier::b};
  policy.filesystem.read = {{fixture.outside(), "/data"}};
  EXPECT_EQ(fixture.run(policy, {"exit", "0"}).tier, Tier::c);
  const int status = in_another_process([&] {
    if (!forbid_user_namespaces()) return 1;
    const Outcome outcome = fixture.run(policy, {"create", observer});
    return codes(outcome) == std::vector<std::string>{"tier.unavailable"} ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(observer));
}

TEST(Destination, DoesNotUndoWhatTheWorkspaceHidesOrProtects) {
  const RunFixture fixture;
  fixture.file(fixture.workspace(), "secret");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {{fixture.workspace(), "/again"}};
  EXPECT_EQ(said(fixture.run(policy, {"read", "/again/secret"})), "ok");
  policy.workspace.hide = {"secret"};
  EXPECT_THAT(codes(fixture.run(policy, {"exit", "0"})), ElementsAre("grant.exception"));
  policy.workspace = {.protect = {"secret"}};
  EXPECT_EQ(said(fixture.run(policy, {"write", "/again/secret"})), "EROFS")
      << "to read it is no harm";
  policy.filesystem = {{}, {{fixture.workspace(), "/again"}}, Tmp::private_dir};
  EXPECT_THAT(codes(fixture.run(policy, {"exit", "0"})), ElementsAre("grant.exception"));
}

}  // namespace
}  // namespace bawn
