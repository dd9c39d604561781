// Grants that a tier c run sees elsewhere than the host has them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "../forbid_user_namespaces.h"
#include "yard.h"

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

// Every path below the directory, with what a file holds: two of them are equal if nothing has changed.
std::vector<std::string> everything_in(const std::string& directory) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    out.push_back(entry.path().string() + (entry.is_regular_file() ? "=" + content(entry.path()) : ""));
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Destination, ShowsAGrantThereAndNotWhereTheHostHasIt) {
  const Yard yard;
  const std::string on_host = yard.file(yard.outside(), "file");
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.outside(), "/data/deep"}};
  EXPECT_EQ(said(yard.run(policy, {"read", "/data/deep/file"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"read", on_host})), "ENOENT");
  policy.filesystem.read.emplace_back(yard.outside());
  EXPECT_EQ(said(yard.run(policy, {"read", on_host})), "ok") << "both at once";
  EXPECT_EQ(said(yard.run(policy, {"read", "/data/deep/file"})), "ok");
  EXPECT_FALSE(fs::exists("/data/deep"));
}

TEST(Destination, KeepsItsAccess) {
  const Yard yard;
  const std::string on_host = yard.file(yard.outside(), "file");
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.outside(), "/data"}};
  EXPECT_EQ(said(yard.run(policy, {"write", "/data/file"})), "EROFS");
  EXPECT_EQ(said(yard.run(policy, {"create", "/data/new"})), "EROFS");
  EXPECT_EQ(said(yard.run(policy, {"truncate", "/data/file"})), "EROFS");
  EXPECT_EQ(content(on_host), "content");
  policy.filesystem = {{}, {{yard.outside(), "/data"}}, Tmp::private_dir};
  EXPECT_EQ(said(yard.run(policy, {"write", "/data/file"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"create", "/data/new"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"truncate", "/data/file"})), "ok");
  EXPECT_EQ(content(on_host), "");
  EXPECT_TRUE(fs::exists(yard.outside() + "/new"));
  EXPECT_EQ(said(yard.run(policy, {"create", "/data-other"})), "EROFS") << "the root around it is sealed";
}

TEST(Destination, TakesASingleFileUnderAnotherName) {
  const Yard yard;
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.file(yard.outside(), "settings"), "/etc/tool.conf"}};
  EXPECT_EQ(said(yard.run(policy, {"read", "/etc/tool.conf"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"read", "/etc/passwd"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"write", "/etc/tool.conf"})), "EROFS");
}

TEST(Destination, LiesBelowScratchDirectories) {
  const Yard yard;
  yard.file(yard.outside(), "file");
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.outside(), "/tmp/data"}};
  EXPECT_EQ(said(yard.run(policy, {"read", "/tmp/data/file"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"create", "/tmp/data/new"})), "EROFS");
  EXPECT_EQ(said(yard.run(policy, {"create", "/tmp/new"})), "ok");
  policy.filesystem.read = {{yard.outside(), "/var/tmp/data"}};
  EXPECT_EQ(said(yard.run(policy, {"read", "/var/tmp/data/file"})), "ok");
  policy.filesystem.read = {{yard.outside(), "/run/data"}};
  EXPECT_EQ(said(yard.run(policy, {"read", "/run/data/file"})), "ok");
}

// The file that is judged is the one that is executed, by whichever name.
TEST(Destination, HasProgramsThatRun) {
  const Yard yard;
  fs::copy_file(sandboxee(), yard.outside() + "/tool");
  Policy policy = yard_policy();
  policy.executables.allow = {"/tools/tool"};
  policy.filesystem.read = {{yard.outside(), "/tools"}};
  const auto run = [&](const std::string& command) {
    return bawn::run(policy, {.command = command, .args = {"print-directory"}},
                     {.workspace = yard.workspace()});
  };
  EXPECT_EQ(said(run("/tools/tool")), yard.workspace());
  EXPECT_THAT(codes(run(yard.outside() + "/tool")), ElementsAre("executable.not_found"));
  fs::create_symlink("/tools/tool", yard.outside() + "/by-run");
  fs::create_symlink(yard.outside() + "/tool", yard.outside() + "/by-host");
  EXPECT_EQ(said(run("/tools/by-run")), yard.workspace());
  EXPECT_THAT(codes(run("/tools/by-host")), ElementsAre("executable.not_found"));
  policy.filesystem = {{}, {{yard.outside(), "/tools"}}, Tmp::private_dir};
  EXPECT_THAT(codes(run("/tools/tool")), ElementsAre("executable.from_workspace"));
  policy.executables.from_workspace = true;
  EXPECT_EQ(said(run("/tools/tool")), yard.workspace());
}

TEST(Destination, CanBeTheWorkingDirectory) {
  const Yard yard;
  fs::create_directories(yard.outside() + "/sub");
  yard.file(yard.outside() + "/sub", "file");
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.outside(), "/data"}};
  const auto run_in = [&](const std::string& cwd, std::vector<std::string> words) {
    return bawn::run(policy, {.command = sandboxee(), .args = std::move(words), .cwd = cwd},
                     {.workspace = yard.workspace()});
  };
  EXPECT_EQ(said(run_in("/data/sub", {"print-directory"})), "/data/sub");
  EXPECT_EQ(said(run_in("/data/sub", {"read", "file"})), "ok");
  EXPECT_EQ(said(run_in("/data", {"print-directory"})), "/data");
  EXPECT_THAT(codes(run_in(yard.outside(), {"print-directory"})), ElementsAre("cwd.outside_scope"));
}

TEST(Destination, CoversWhatTheHostHasThere) {
  const Yard yard;
  const std::string covered = yard.workspace() + "/sub";
  fs::create_directories(covered);
  yard.file(covered, "of-the-workspace");
  yard.file(yard.outside(), "of-the-grant");
  const auto before = everything_in(yard.workspace());
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.outside(), covered}};
  EXPECT_EQ(said(yard.run(policy, {"read", "sub/of-the-grant"})), "ok");
  EXPECT_EQ(said(yard.run(policy, {"read", "sub/of-the-workspace"})), "ENOENT");
  EXPECT_EQ(said(yard.run(policy, {"create", "sub/new"})), "EROFS") << "read-only inside of a writable one";
  EXPECT_EQ(said(yard.run(policy, {"rename", covered, yard.workspace() + "/away"})), "EBUSY");
  EXPECT_EQ(everything_in(yard.workspace()), before);
  EXPECT_EQ(said(yard.run(policy, {"create", "beside"})), "ok");
}

TEST(Destination, IsNeverMadeOnTheHost) {
  const Yard yard;
  const std::string file = yard.file(yard.workspace(), "file");
  yard.file(yard.outside(), "file");
  const auto before = everything_in(yard.workspace());
  Policy policy = yard_policy();
  for (const std::string& place : {yard.workspace() + "/absent", file, yard.workspace() + "/absent/deep"}) {
    policy.filesystem.read = {{yard.outside(), place}};
    const Outcome outcome = yard.run(policy, {"exit", "0"});
    EXPECT_THAT(codes(outcome), ElementsAre("grant.no_ground")) << place;
    EXPECT_THAT(outcome_json(outcome), HasSubstr("nothing is made on the host")) << place;
  }
  fs::create_directory_symlink(yard.outside(), yard.workspace() + "/link");
  policy.filesystem.read = {{yard.outside(), yard.workspace() + "/link"}};
  EXPECT_THAT(codes(yard.run(policy, {"exit", "0"})), ElementsAre("grant.no_ground"))
      << "a link is no ground";
  fs::remove(yard.workspace() + "/link");
  EXPECT_EQ(everything_in(yard.workspace()), before);
}

// What a link in the grant says is read in the run: it does not reach what the host has by that name.
TEST(Destination, IsNoWayOut) {
  const Yard yard;
  const std::string beside = fs::path(yard.outside()).parent_path().string() + "/beside";
  fs::create_directories(beside);
  yard.file(beside, "secret");
  yard.file(yard.outside(), "file");
  fs::create_symlink(beside + "/secret", yard.outside() + "/absolute");
  fs::create_symlink("../beside/secret", yard.outside() + "/relative");
  fs::create_symlink(yard.outside() + "/file", yard.outside() + "/by-host");
  fs::create_symlink("/data/file", yard.outside() + "/by-run");
  Policy policy = yard_policy();
  policy.filesystem.write = {{yard.outside(), "/data"}};
  for (const char* link : {"/data/absolute", "/data/relative", "/data/by-host", "/data/../beside/secret"}) {
    EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", link})), "ENOENT") << link;
  }
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", "/data/by-run"})), "ok");
  policy.filesystem.read = {beside};
  EXPECT_EQ(said(yard.run_unvalidated(policy, {"read", "/data/absolute"})), "ok") << "the links are sound";
}

TEST(Destination, IsNotLeftOutWhereThereAreNoNamespaces) {
  const Yard yard;
  const std::string witness = yard.workspace() + "/witness";
  Policy policy = yard_policy();
  policy.tier = {TierChoice::automatic, Tier::b};
  policy.filesystem.read = {{yard.outside(), "/data"}};
  EXPECT_EQ(yard.run(policy, {"exit", "0"}).tier, Tier::c);
  const int status = in_another_process([&] {
    if (!forbid_user_namespaces()) return 1;
    const Outcome outcome = yard.run(policy, {"create", witness});
    return codes(outcome) == std::vector<std::string>{"tier.unavailable"} ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(witness));
}

TEST(Destination, DoesNotUndoWhatTheWorkspaceHidesOrProtects) {
  const Yard yard;
  yard.file(yard.workspace(), "secret");
  Policy policy = yard_policy();
  policy.filesystem.read = {{yard.workspace(), "/again"}};
  EXPECT_EQ(said(yard.run(policy, {"read", "/again/secret"})), "ok");
  policy.workspace.hide = {"secret"};
  EXPECT_THAT(codes(yard.run(policy, {"exit", "0"})), ElementsAre("grant.exception"));
  policy.workspace = {.protect = {"secret"}};
  EXPECT_EQ(said(yard.run(policy, {"write", "/again/secret"})), "EROFS") << "to read it is no harm";
  policy.filesystem = {{}, {{yard.workspace(), "/again"}}, Tmp::private_dir};
  EXPECT_THAT(codes(yard.run(policy, {"exit", "0"})), ElementsAre("grant.exception"));
}

}  // namespace
}  // namespace bawn
