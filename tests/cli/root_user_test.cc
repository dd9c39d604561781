// Runs that root starts: the command has host ids that own nothing, and mounts are idmapped for it.
//
// Some tests mount an overlay, which cannot be idmapped, in a mount namespace of their own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr uid_t kUser = 12345;
constexpr uid_t kOther = 23456;
constexpr std::uint64_t kFirst = 0x70000000;
constexpr std::uint64_t kCount = 0x0fff0000;

void give(const std::string& path, uid_t owner, mode_t mode) {
  ASSERT_EQ(chown(path.c_str(), owner, owner), 0);
  ASSERT_EQ(chmod(path.c_str(), mode), 0);
}

// "12345:12345".
std::string owner_of(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 ? concat(found.st_uid, ":", found.st_gid) : "missing";
}

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Words shell(const std::string& script) { return {"--", "sh", "-c", script}; }

class RunOfRoot : public testing::Test {
 protected:
  void SetUp() override {
    if (getuid() != 0) GTEST_SKIP() << "only root's runs have host ids of their own";
    std::filesystem::permissions(caller_.outside(), std::filesystem::perms(0755));
    std::filesystem::permissions(std::filesystem::path(caller_.workspace()).parent_path(),
                                 std::filesystem::perms(0755));
  }

  [[nodiscard]] Answer run(const Words& options, const std::string& script) const {
    return caller_.call(joined(joined({"run"}, options), shell(script)));
  }
  [[nodiscard]] Answer run(const std::string& script) const { return run({}, script); }

  // Runs a script outside of bawn. In it, $BAWN is bawn and $1 the directory outside.
  [[nodiscard]] Answer around(const std::string& script) const {
    return caller_
        .start_program("/bin/sh",
                       {"sh", "-c", concat("BAWN=", named_by("BAWN_BINARY"), "\n", script), "sh",
                        caller_.outside()})
        .finish();
  }

  // Runs `bawn WORDS` in a workspace that is an overlay, which belongs to `owner`.
  [[nodiscard]] Answer on_overlay(uid_t owner, const std::string& words) const {
    return around(concat("exec unshare -m sh -ec '\n", "mount -t tmpfs none ", caller_.outside(),
                         "\ncd ", caller_.outside(), "\nmkdir lower upper work merged\n", "chown ",
                         owner, ":", owner, " upper lower\n",
                         "mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work "
                         "merged\ncd merged\n",
                         named_by("BAWN_BINARY"), " ", words, "'"));
  }

  // The line of the receipt about the command's ids.
  [[nodiscard]] static nlohmann::json user_layer(const Answer& answer) {
    const nlohmann::json printed = printed_json(answer.out);
    for (const auto& layer : printed.at("enforcement"))
      if (layer.at("layer") == "user") return layer;
    ADD_FAILURE() << answer.out;
    return {};
  }
  [[nodiscard]] static std::uint64_t host_uid(const Answer& answer) {
    return user_layer(answer).at("evidence").at("host_uid").get<std::uint64_t>();
  }
  static void expect_partial(const Answer& answer, std::uint64_t uid, std::string_view reason) {
    const nlohmann::json layer = user_layer(answer);
    EXPECT_EQ(layer.at("state"), "partial");
    EXPECT_EQ(layer.at("evidence").at("host_uid"), uid);
    EXPECT_THAT(layer.at("evidence").at("reason").get<std::string>(),
                HasSubstr(std::string(reason)));
  }

  Caller caller_;
};

TEST_F(RunOfRoot, HasAHostIdOfTheRangeAndAnotherInEachRun) {
  const Answer first = run({"--json"}, "id -u");
  const nlohmann::json layer = user_layer(first);
  EXPECT_EQ(layer.at("state"), "enforced");
  EXPECT_EQ(layer.at("evidence").at("uid"), 0);
  EXPECT_EQ(layer.at("evidence").at("host_ids"), "range");
  EXPECT_EQ(layer.at("evidence").at("host_gid"), layer.at("evidence").at("host_uid"));
  EXPECT_GE(layer.at("evidence").at("idmapped_mounts").get<int>(), 1);
  EXPECT_GE(host_uid(first), kFirst);
  EXPECT_LT(host_uid(first), kFirst + kCount);
  EXPECT_NE(host_uid(run({"--json"}, "id -u")), host_uid(first));
}

// The host itself says who the command is.
TEST_F(RunOfRoot, IsNobodyInTheHostsProcessList) {
  const std::string mark = marker();
  Call call =
      caller_.start({"run", "--", "sh", "-c", "echo ready; while :; do sleep 1000; done", mark});
  ASSERT_TRUE(call.wait_for_output("ready"));
  std::string ids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string words = content(entry.path() / "cmdline");
    if (!ids.empty() || !words.starts_with("sh") || words.find(mark) == std::string::npos) continue;
    std::istringstream status(content(entry.path() / "status"));
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("Uid:") || line.starts_with("Gid:") || line.starts_with("Groups:"))
        ids += line + "\n";
  }
  std::istringstream words(ids);
  int numbers = 0;
  for (std::string word; words >> word;) {
    std::uint64_t id = 0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), id);
    if (end.ec != std::errc()) continue;
    ++numbers;
    EXPECT_GE(id, kFirst) << ids;
    EXPECT_LT(id, kFirst + kCount) << ids;
  }
  EXPECT_EQ(numbers, 8) << "four user and four group ids, and no group more: " << ids;
  call.send_signal(SIGTERM);
  EXPECT_EQ(call.finish().exit_code, 128 + SIGTERM);
}

TEST_F(RunOfRoot, TakesItsIdFromThePolicysRange) {
  const std::string policy = caller_.file_outside("policy.json", R"({"extends": "workspace",
      "identity": {"first_host_id": 3000000000, "host_id_count": 1}})");
  EXPECT_EQ(host_uid(run({"--json", "--policy", policy}, "true")), 3000000000);
}

TEST_F(RunOfRoot, LeavesFilesOfTheWorkspacesOwner) {
  for (const uid_t owner : {uid_t{0}, kUser}) {
    give(caller_.workspace(), owner, 0755);
    const Answer answer =
        run("mkdir d && echo x > d/f && ln d/f d/g && ln -s f d/l && id -u && "
            "stat -c %u:%g . d/f");
    EXPECT_EQ(answer.out, "0\n0:0\n0:0\n") << answer.err;
    for (const char* name : {"/d", "/d/f", "/d/g", "/d/l"})
      EXPECT_EQ(owner_of(caller_.workspace() + name), concat(owner, ":", owner)) << name;
    std::filesystem::remove_all(caller_.workspace() + "/d");
  }
}

TEST_F(RunOfRoot, LeavesNothingThatBelongsToItsHostId) {
  const Answer answer = run({"--json", "--rw", caller_.outside()},
                            concat("echo x > f; echo x > /tmp/f; echo x > ", caller_.outside(),
                                   "/f; chown 1 f; chgrp 1 f; mkdir -m 2777 d; echo x > d/f"));
  const auto user = host_uid(answer);
  int seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(caller_.workspace()).parent_path())) {
    EXPECT_EQ(owner_of(entry.path()), "0:0") << entry.path() << " and not " << user;
    ++seen;
  }
  EXPECT_GE(seen, 5);
}

TEST_F(RunOfRoot, ReadsAndWritesPrivateFilesOfTheOwner) {
  for (const uid_t owner : {uid_t{0}, kUser}) {
    give(caller_.workspace(), owner, 0700);
    give(caller_.file("private", "old\n"), owner, 0600);
    EXPECT_EQ(run("cat private && echo new > private").out, "old\n");
    EXPECT_EQ(content(caller_.workspace() + "/private"), "new\n");
    EXPECT_EQ(owner_of(caller_.workspace() + "/private"), concat(owner, ":", owner));
  }
}

// Each grant has an owner of its own, as the workspace has.
TEST_F(RunOfRoot, ActsInAGrantAsTheGrantsOwner) {
  const std::string grant = caller_.outside() + "/grant";
  std::filesystem::create_directory(grant);
  give(caller_.file_outside("grant/private", "old\n"), kOther, 0600);
  give(grant, kOther, 0700);
  const Answer answer =
      run({"--rw", grant}, concat("cat ", grant, "/private; echo x > ", grant, "/f; echo x > f"));
  EXPECT_EQ(answer.out, "old\n") << answer.err;
  EXPECT_EQ(owner_of(grant + "/f"), concat(kOther, ":", kOther));
  EXPECT_EQ(owner_of(caller_.workspace() + "/f"), "0:0");
}

// The control is a run that keeps root's id.
TEST_F(RunOfRoot, CannotReachRootsFilesInTheWorkspaceOfAnother) {
  give(caller_.workspace(), kUser, 0777);
  const std::string secret = caller_.file("secret", "of root\n");
  give(secret, 0, 0600);
  const std::string policy = caller_.file_outside(
      "policy.json", R"({"extends": "workspace", "identity": {"uid": 0, "gid": 0}})");
  const std::string script =
      "cat secret; echo x >> secret; chmod 644 secret; ln secret mine; stat -c %u secret";
  const Answer control = run({"--policy", policy}, "cat secret");
  EXPECT_EQ(control.out, "of root\n") << control.err;
  const Answer answer = run(script);
  EXPECT_EQ(answer.out, "65534\n");
  EXPECT_EQ(content(secret), "of root\n");
  struct stat found {};
  ASSERT_EQ(stat(secret.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0600U);
  EXPECT_EQ(found.st_nlink, 1U);
}

// Files of others can be used as far as others may: a file that is mapped to no id could not be
// written at all.
TEST_F(RunOfRoot, UsesFilesOfOthersAsOthersMay) {
  give(caller_.file("shared", "old\n"), kUser, 0666);
  const std::string of_group = caller_.file("of_group", "");
  ASSERT_EQ(chown(of_group.c_str(), 0, kUser), 0);
  EXPECT_EQ(run("cat shared && echo x >> shared && echo x > of_group").exit_code, 0);
  EXPECT_EQ(content(caller_.workspace() + "/shared"), "old\nx\n");
  EXPECT_EQ(content(of_group), "x\n");
  EXPECT_EQ(owner_of(of_group), concat("0:", kUser));
}

TEST_F(RunOfRoot, CannotLeaveASetIdFile) {
  give(caller_.workspace(), kUser, 0755);
  const Answer answer =
      run("cp /bin/true t; chmod 4755 t; echo $?; chmod 2755 t; echo $?; chmod 755 t; echo $?");
  EXPECT_THAT(answer.out, EndsWith("0\n"));
  EXPECT_THAT(answer.err, HasSubstr("not permitted"));
  struct stat found {};
  ASSERT_EQ(stat((caller_.workspace() + "/t").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0755U);
}

TEST_F(RunOfRoot, CanOpenItsPipesAgain) {
  const Answer answer = caller_.call(
      joined({"run"}, shell("cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr")),
      {.in = "in\n"});
  EXPECT_EQ(answer.out, "in\nout\n");
  EXPECT_EQ(answer.err, "err\n");
}

TEST_F(RunOfRoot, ReadsARegularFileAsStdinThatOnlyRootCanRead) {
  const std::string input = caller_.file_outside("input", "one\ntwo\n");
  give(input, 0, 0600);
  give(caller_.workspace(), kUser, 0755);
  give(caller_.outside(), 0, 0700);
  const Answer answer =
      around(concat("cd ", caller_.workspace(), "; $BAWN run -- sh -c 'head -c 4; ",
                    "tail -n 1 /dev/stdin; chmod 777 /dev/stdin || echo no' < ", input));
  EXPECT_EQ(answer.out, "one\ntwo\nno\n") << answer.err;
  EXPECT_EQ(owner_of(input), "0:0");
}

// `grep -r x . > found` must know that `found` is its own output.
TEST_F(RunOfRoot, KnowsItsOutputFileInTheWorkspace) {
  caller_.file("text", "needle\n");
  for (const uid_t owner : {uid_t{0}, kUser}) {
    give(caller_.workspace(), owner, 0755);
    give(caller_.file("found", ""), owner, 0644);
    const Answer answer =
        around(concat("cd ", caller_.workspace(), "; $BAWN run -- grep -r needle . > found"));
    EXPECT_EQ(content(caller_.workspace() + "/found"), "./text:needle\n") << answer.err;
  }
}

TEST_F(RunOfRoot, UsesGitInRootsWorkspaceAndInAnothers) {
  for (const uid_t owner : {uid_t{0}, kUser}) {
    std::filesystem::remove_all(caller_.workspace() + "/.git");
    std::filesystem::remove(caller_.workspace() + "/f");
    give(caller_.workspace(), owner, 0755);
    const Answer answer =
        run("git init -q . && echo x > f && git add f && git -c user.name=a -c "
            "user.email=a@b commit -qm x && git status --short && git log "
            "--format=%s");
    EXPECT_EQ(answer.out, "x\n") << answer.err;
    EXPECT_THAT(answer.err, Not(HasSubstr("dubious")));
    EXPECT_EQ(owner_of(caller_.workspace() + "/.git/HEAD"), concat(owner, ":", owner));
  }
}

TEST_F(RunOfRoot, UsesToolsBelowAHomeThatOnlyRootCanEnter) {
  const std::string home = caller_.outside() + "/home";
  std::filesystem::create_directories(home + "/.tool/bin");
  give(caller_.file_outside("home/.tool/bin/words", "works\n"), 0, 0600);
  give(caller_.file_outside("home/.tool/bin/tool",
                            concat("#!/bin/sh\ncat ", home, "/.tool/bin/words\n")),
       0, 0700);
  give(home, 0, 0700);
  give(caller_.workspace(), kUser, 0755);
  caller_.set_variable("HOME", home);
  caller_.set_variable("PATH", home + "/.tool/bin:/usr/bin:/bin");
  const Answer answer = caller_.call({"run", "--", "tool"});
  EXPECT_EQ(answer.out, "works\n") << answer.err;
}

TEST_F(RunOfRoot, KeepsProtectedFilesOfTheOwnerReadable) {
  give(caller_.workspace(), kUser, 0755);
  give(caller_.file("kept", "old\n"), kUser, 0600);
  const Answer answer = run({"--protect", "kept"}, "cat kept; echo x > kept; mv kept gone; ls");
  EXPECT_EQ(answer.out, "old\nkept\n");
  EXPECT_EQ(content(caller_.workspace() + "/kept"), "old\n");
}

TEST_F(RunOfRoot, IsLimitedInProcessesByItsHostId) {
  const Answer answer = run({"--json", "--pids", "20"}, "true");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
}

TEST_F(RunOfRoot, IsExplainedAndTriedBefore) {
  EXPECT_THAT(caller_.call({"explain", "--", "true"}).out,
              HasSubstr("on the host, chosen anew for each run; mounts are idmapped"));
  EXPECT_EQ(caller_.call({"check", "--", "true"}).exit_code, 0);
  EXPECT_THAT(caller_.call({"doctor"}).out, HasSubstr("ok    host-ids-of-root"));
}

TEST_F(RunOfRoot, KeepsTheIdsThatThePolicyNames) {
  give(caller_.workspace(), kUser, 0755);
  const std::string policy = caller_.file_outside(
      "policy.json", R"({"extends": "workspace", "identity": {"uid": 12345, "gid": 12345}})");
  const Answer answer = run({"--json", "--policy", policy}, "echo x > f; id -u");
  const nlohmann::json layer = user_layer(answer);
  EXPECT_EQ(layer.at("state"), "enforced");
  EXPECT_EQ(layer.at("evidence").at("uid"), kUser);
  EXPECT_EQ(layer.at("evidence").at("host_uid"), kUser);
  EXPECT_FALSE(layer.at("evidence").contains("host_ids"));
  EXPECT_EQ(owner_of(caller_.workspace() + "/f"), concat(kUser, ":", kUser));
}

// ---- Fallbacks ----------------------------------------------------------------------------------

TEST_F(RunOfRoot, OnAnOverlayIsTheOwnerOfTheWorkspace) {
  const Answer answer = on_overlay(kUser, "run --json -- sh -c \"echo x > f; stat -c %u:%g f\"");
  expect_partial(answer, kUser, "idmap: mount_setattr: Invalid argument");
  EXPECT_EQ(at(printed_json(answer.out), "/stdout"), "0:0\n");
  EXPECT_THAT(on_overlay(kUser, "run -- touch f; stat -c %u:%g f").out, StartsWith("12345:12345"));
  EXPECT_THAT(on_overlay(kUser, "explain -- true").out,
              AllOf(HasSubstr("uid 12345, gid 12345 on the host, the owner of the workspace"),
                    HasSubstr("no host id of the run's own: ")));
}

TEST_F(RunOfRoot, OnAnOverlayOfRootIsRoot) {
  const Answer answer = on_overlay(0, "run --json -- touch f");
  expect_partial(answer, 0, "idmap: mount_setattr: Invalid argument");
}

// A program of the overlay's owner must not see what the owner could not.
TEST_F(RunOfRoot, OnAnOverlayCannotReachRootsFiles) {
  const std::string script = "run -- cat f";
  EXPECT_THAT(on_overlay(kUser, concat("run -- true; echo secret > f; chmod 600 f; ",
                                       named_by("BAWN_BINARY"), " ", script))
                  .out,
              Not(HasSubstr("secret")));
  EXPECT_THAT(on_overlay(0, concat("run -- true; echo secret > f; chmod 600 f; ",
                                   named_by("BAWN_BINARY"), " ", script))
                  .out,
              HasSubstr("secret"));
}

TEST_F(RunOfRoot, WithoutTheCapabilityIsTheOwnerOfTheWorkspace) {
  const auto without = [&](const std::string& capability) {
    return around(concat("cd ", caller_.workspace(), "; exec setpriv --bounding-set -", capability,
                         " $BAWN run --json -- touch f"));
  };
  give(caller_.workspace(), kUser, 0755);
  expect_partial(without("sys_admin"), kUser, "root lacks CAP_SYS_ADMIN");
  EXPECT_EQ(owner_of(caller_.workspace() + "/f"), concat(kUser, ":", kUser));
  expect_partial(without("chown"), kUser, "root lacks CAP_CHOWN");
  expect_partial(without("setuid"), 0, "root lacks CAP_SETUID");
  give(caller_.workspace(), 0, 0755);
  expect_partial(without("sys_admin"), 0, "root lacks CAP_SYS_ADMIN");
}

TEST_F(RunOfRoot, OfAUserNamespaceSaysThatItHasNoOtherIds) {
  const Answer answer =
      around(concat("cd ", caller_.workspace(), "; exec unshare -Ur $BAWN run --json -- touch f"));
  expect_partial(answer, 0, "only some of the host's ids");
}

TEST_F(RunOfRoot, IsToldByDoctorWhereItHasNoIdOfItsOwn) {
  EXPECT_THAT(on_overlay(kUser, "doctor").out,
              AllOf(HasSubstr("no    host-ids-of-root"), HasSubstr("cannot be idmapped")));
  EXPECT_THAT(around("setpriv --bounding-set -sys_admin $BAWN doctor").out,
              AllOf(HasSubstr("no    host-ids-of-root"), HasSubstr("root lacks CAP_SYS_ADMIN")));
}

// ---- Ordinary users -----------------------------------------------------------------------------

TEST(RunOfAnOrdinaryUser, KeepsItsIds) {
  if (getuid() == 0) GTEST_SKIP() << "the suite runs as an ordinary user as well";
  const Caller caller;
  const Answer answer = caller.call(joined({"run", "--json"}, shell("echo x > f")));
  const nlohmann::json printed = printed_json(answer.out);
  for (const auto& layer : printed.at("enforcement")) {
    if (layer.at("layer") != "user") continue;
    EXPECT_EQ(layer.at("state"), "enforced");
    EXPECT_EQ(layer.at("evidence").at("host_uid"), getuid());
    EXPECT_FALSE(layer.at("evidence").contains("host_ids"));
  }
  EXPECT_EQ(owner_of(caller.workspace() + "/f"), concat(getuid(), ":", getgid()));
}

}  // namespace
}  // namespace bawn
