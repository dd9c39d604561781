// --id-ranges with the real newuidmap and newgidmap.
//
// /etc/subuid and /etc/subgid say which user gets which ranges. Each test has an /etc in a mount
// namespace that ends with the test, so the machine's /etc stays as it is. This needs root, which
// runs bawn both as an ordinary user and as root.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../refuse_call.h"
#include "base/text.h"
#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr uid_t kUser = 12345;
constexpr const char* kLines = "ranger:200000:65536\n";

class IdRanges : public testing::Test {
 protected:
  void SetUp() override {
    if (getuid() != 0) GTEST_SKIP() << "only root can have an /etc of its own";
    std::filesystem::permissions(caller_.outside(), std::filesystem::perms(0755));
    std::filesystem::permissions(std::filesystem::path(caller_.workspace()).parent_path(),
                                 std::filesystem::perms(0755));
    // bawn may lie below a directory that only root can read.
    std::filesystem::copy_file(named_by("BAWN_BINARY"), bawn());
    std::filesystem::create_directory(etc());
    for (const char* file : {"group", "nsswitch.conf", "ld.so.cache"}) {
      if (std::filesystem::exists(std::string("/etc/") + file))
        std::filesystem::copy_file(std::string("/etc/") + file, etc() + "/" + file);
    }
    write("passwd",
          concat("root:x:0:0::/root:/bin/sh\nranger:x:", kUser, ":", kUser, "::/:/bin/sh\n"));
    write("subuid", kLines);
    write("subgid", kLines);
    own("mine", kUser);
    own("foreign", 200005);
    std::filesystem::permissions(caller_.workspace(), std::filesystem::perms(0777));
  }

  [[nodiscard]] std::string bawn() const { return caller_.outside() + "/bawn"; }
  [[nodiscard]] std::string etc() const { return caller_.outside() + "/etc"; }
  void write(const std::string& file, std::string_view text) const {
    std::ofstream(etc() + "/" + file) << text;
  }

  // Makes a file in the workspace that belongs to `owner`.
  void own(const std::string& name, uid_t owner) const {
    ASSERT_EQ(chown(caller_.file(name, "").c_str(), owner, owner), 0);
  }

  // Puts another program in the place of /usr/bin/newuidmap, with the same privilege.
  void replace_newuidmap(const std::string& program) {
    const std::string copy = caller_.outside() + "/fake-mapper";
    std::filesystem::copy_file(program, copy);
    ASSERT_EQ(chmod(copy.c_str(), 04755), 0);
    mounts_ += concat("mount --bind ", copy, " /usr/bin/newuidmap && ");
  }

  // The words for setpriv.
  Words become_user() const {
    return {"setpriv",       "--reuid", std::to_string(kUser), "--regid", std::to_string(kUser),
            "--clear-groups"};
  }

  // Runs bawn with these words, started through `before`.
  [[nodiscard]] Answer call(const Words& before, const Words& words) const {
    return start(before, words).finish();
  }
  [[nodiscard]] Call start(const Words& before, const Words& words) const {
    const std::string script = concat("mount --bind ", etc(), " /etc && ", mounts_, "exec \"$@\"");
    const Words command = joined(before, joined({bawn()}, words));
    return caller_.start_program("/usr/bin/unshare", joined({"unshare", "--mount", "--propagation",
                                                             "private", "sh", "-ec", script, "sh"},
                                                            command));
  }
  [[nodiscard]] Answer as_user(const Words& words) const { return call(become_user(), words); }
  [[nodiscard]] Answer as_root(const Words& words) const { return call({}, words); }

  // Prints the owners of the files as a run with these options sees them.
  [[nodiscard]] static Words owners(const Words& options) {
    return joined(joined({"run"}, options), {"--", "stat", "-c", "%u:%g", "mine", "foreign"});
  }
  [[nodiscard]] static Words observed(const Words& options) {
    return joined(joined({"run"}, options), {"--", "touch", "observer"});
  }
  [[nodiscard]] bool ran() const {
    return std::filesystem::exists(caller_.workspace() + "/observer");
  }

  // Nothing ran, and the message has the reason.
  void expect_refused(const Answer& answer, int exit_code,
                      const testing::Matcher<const std::string&>& reason) const {
    EXPECT_EQ(answer.exit_code, exit_code) << answer.out;
    EXPECT_THAT(answer.err, reason);
    EXPECT_FALSE(ran());
  }

  Caller caller_;
  std::string mounts_;
};

TEST_F(IdRanges, ShowFilesOfSubordinateIdsWithTheirOwners) {
  EXPECT_EQ(as_user(owners({})).out, "12345:12345\n65534:65534\n");
  EXPECT_EQ(as_user(owners({"--id-ranges"})).out, "12345:12345\n5:5\n");
  EXPECT_EQ(as_user(owners({"--id-ranges", "--as-root"})).out, "0:0\n6:6\n");
}

// With an open network, bawn does not use the init that it started before it read the options.
TEST_F(IdRanges, DoNotDependOnWhenInitWasStarted) {
  EXPECT_EQ(as_user(owners({"--egress", "allow_all"})).out, "12345:12345\n65534:65534\n");
  EXPECT_EQ(as_user(owners({"--egress", "allow_all", "--id-ranges"})).out, "12345:12345\n5:5\n");
}

TEST_F(IdRanges, OfRootWorkTheSameWay) {
  write("subuid", "root:200000:65536\n");
  write("subgid", "0:200000:65536\n");
  own("mine", 0);
  EXPECT_EQ(as_root(owners({})).out, "0:0\n65534:65534\n");
  EXPECT_EQ(as_root(owners({"--id-ranges"})).out, "0:0\n6:6\n");
}

// Becoming one of the ids takes a capability, and the command has none. EINVAL is the error for an
// id that is not mapped.
TEST_F(IdRanges, CannotBeTakenOn) {
  const Words give_away = {
      "--", "sh", "-c",
      "LC_ALL=C; export LC_ALL; chown 5 mine; chgrp 5 mine; cat /proc/self/setgroups"};
  const Answer without = as_user(joined({"run"}, give_away));
  EXPECT_THAT(without.err, AllOf(HasSubstr("Invalid argument"), Not(HasSubstr("not permitted"))));
  for (const Words& options :
       {Words{"run", "--id-ranges"}, Words{"run", "--id-ranges", "--as-root"}}) {
    const Answer with = as_user(joined(options, give_away));
    EXPECT_THAT(with.err,
                AllOf(HasSubstr("Operation not permitted"), Not(HasSubstr("Invalid argument"))));
    EXPECT_EQ(with.out, "deny\n");
  }
  struct stat mine {};
  ASSERT_EQ(stat((caller_.workspace() + "/mine").c_str(), &mine), 0);
  EXPECT_EQ(mine.st_uid, kUser);
  EXPECT_EQ(mine.st_gid, kUser);
  write("subuid", "root:200000:65536\n");
  write("subgid", "root:200000:65536\n");
  own("mine", 0);
  EXPECT_THAT(as_root(joined({"run", "--id-ranges"}, give_away)).err,
              HasSubstr("Operation not permitted"));
}

TEST_F(IdRanges, AreInTheReceiptAsTheyWereReadBack) {
  const auto evidence = [&](const Words& options) {
    const auto printed =
        printed_json(as_user(joined(joined({"run", "--json"}, options), {"--", "true"})).out);
    for (const auto& layer : printed.at("enforcement")) {
      if (layer.at("layer") == "id_ranges")
        return at(layer, "/state") + ": " + layer.at("evidence").dump();
    }
    return std::string("no such layer");
  };
  const std::string map = "[[0,200000,12345],[12345,12345,1],[12346,212345,53191]]";
  EXPECT_EQ(evidence({"--id-ranges"}),
            "enforced: {\"gid_map\":" + map + ",\"uid_map\":" + map + "}");
  EXPECT_EQ(evidence({}), R"(not_requested: {"reason":"one user and one group exist inside"})");
  const std::string as_root = "[[0,12345,1],[1,200000,65536]]";
  EXPECT_EQ(evidence({"--id-ranges", "--as-root"}),
            "enforced: {\"gid_map\":" + as_root + ",\"uid_map\":" + as_root + "}");
  // The same as the command itself sees it.
  EXPECT_THAT(
      as_user({"run", "--id-ranges", "--", "cat", "/proc/self/uid_map"}).out,
      testing::MatchesRegex(" +0 +200000 +12345\n +12345 +12345 +1\n +12346 +212345 +53191\n"));
}

TEST_F(IdRanges, AreExplained) {
  const Answer text = as_user({"explain", "--id-ranges", "--", "true"});
  EXPECT_THAT(
      text.out,
      AllOf(
          HasSubstr("12346-65536 are 212345-265535 on the host  (identity.id_ranges: --id-ranges)"),
          HasSubstr("  users "), HasSubstr("  groups ")));
  const auto with =
      printed_json(as_user({"explain", "--json", "--id-ranges", "--as-root", "--", "true"}).out);
  EXPECT_EQ(at(with, "/identity/id_ranges/uid_map"),
            R"([{"count":1,"host":12345,"inside":0},{"count":65536,"host":200000,"inside":1}])");
  EXPECT_EQ(at(with, "/identity/id_ranges/origin/source"), "--id-ranges");
  EXPECT_EQ(
      at(printed_json(as_user({"explain", "--json", "--", "true"}).out), "/identity/id_ranges"),
      "null");
}

TEST_F(IdRanges, OfOneWhoHasNoneAreRefusedWithTheLineThatHelps) {
  for (const std::string file : {"subuid", "subgid"}) {
    write(file, "somebody:300000:65536\ngarbage\n");
    expect_refused(as_user(observed({"--id-ranges"})), 126,
                   AllOf(HasSubstr("/etc/" + file + " gives no ids to 'ranger' (12345)"),
                         HasSubstr("add the line 'ranger:365536:65536' to /etc/" + file)));
    write(file, "somebody:300000:65536\ngarbage\nranger:365536:65536\n");
  }
  EXPECT_EQ(as_user(observed({"--id-ranges"})).exit_code, 0);
  EXPECT_TRUE(ran());
}

TEST_F(IdRanges, OfRootAreRefusedLikewise) {
  expect_refused(
      as_root(observed({"--id-ranges"})), 126,
      AllOf(HasSubstr("/etc/subuid gives no ids to 'root' (0)"), HasSubstr("root:265536:65536")));
  EXPECT_EQ(as_root(observed({})).exit_code, 0);
  EXPECT_TRUE(ran());
}

TEST_F(IdRanges, WithoutTheFileAreRefused) {
  std::filesystem::remove(etc() + "/subuid");
  expect_refused(as_user(observed({"--id-ranges"})), 126,
                 AllOf(HasSubstr("/etc/subuid"), HasSubstr("does not exist")));
}

TEST_F(IdRanges, WithoutTheProgramAreRefused) {
  mounts_ = "mount --bind /dev/null /usr/bin/newgidmap && ";
  expect_refused(as_user(observed({"--id-ranges"})), 126,
                 AllOf(HasSubstr("newgidmap is not there"), HasSubstr("apt-get install uidmap")));
}

TEST_F(IdRanges, ThatNewuidmapOnlySaysItMappedAreFoundOut) {
  replace_newuidmap("/bin/true");
  expect_refused(
      as_user(observed({"--id-ranges"})), 125,
      AllOf(HasSubstr("'/usr/bin/newuidmap' did not write the id map that was asked for"),
            HasSubstr("uid_map")));
}

TEST_F(IdRanges, ThatNewuidmapRefusesAreRefusedInItsWords) {
  const Answer answer = call(joined(become_user(), {"--no-new-privs"}), observed({"--id-ranges"}));
  expect_refused(
      answer, 125,
      AllOf(HasSubstr("'/usr/bin/newuidmap' refused: exit code 1, it printed 'newuidmap: "),
            HasSubstr("no_new_privs")));
}

// newuidmap's first argument is a pid, which /bin/sleep takes as a long time.
TEST_F(IdRanges, ThatNewuidmapDoesNotWriteAreWaitedForNoLongerThanARunMayTake) {
  replace_newuidmap("/bin/sleep");
  expect_refused(as_user(observed({"--id-ranges", "--timeout", "300ms"})), 125,
                 HasSubstr("'/usr/bin/newuidmap' did not end within 300 ms"));
  EXPECT_EQ(as_user(observed({"--timeout", "60s"})).exit_code, 0);
  EXPECT_TRUE(ran());
}

struct Child {
  pid_t pid = -1;
  char state = 0;  // from /proc/PID/stat: 'S' sleeping, 'Z' zombie; 0 if there is no such child
};

Child child_named(std::string_view name, pid_t parent) {
  std::ifstream children(concat("/proc/", parent, "/task/", parent, "/children"));
  for (pid_t child = 0; children >> child;) {
    std::string stat;
    std::getline(std::ifstream(concat("/proc/", child, "/stat")), stat);
    const std::string begin = concat(child, " (", name, ") ");
    if (stat.starts_with(begin)) return {child, stat[begin.size()]};
  }
  return {};
}

// bawn once obeyed a signal only after the ten seconds that newuidmap may take.
TEST_F(IdRanges, ThatNewuidmapDoesNotWriteAreNotWaitedForAfterASignal) {
  replace_newuidmap("/bin/sleep");
  Call running = start(become_user(), observed({"--id-ranges"}));
  while (child_named("newuidmap", running.pid()).state == 0) std::this_thread::yield();
  running.send_signal(SIGTERM);
  expect_refused(running.finish(), 128 + SIGTERM, testing::_);
}

// As after a denial in tier c, no weaker tier is tried instead.
TEST_F(IdRanges, AreNotGivenUpForAWeakerTier) {
  replace_newuidmap("/bin/false");
  const std::string policy = caller_.file_outside(
      "policy.json", R"({"extends": "workspace", "tier": {"use": "auto", "floor": "b"}})");
  std::filesystem::permissions(policy, std::filesystem::perms(0644));
  expect_refused(as_user(observed({"--policy", policy, "--id-ranges"})), 125,
                 HasSubstr("exit code 1"));
  EXPECT_EQ(as_user(observed({"--policy", policy})).exit_code, 0);
}

TEST_F(IdRanges, OfAnotherUserCannotBeGivenByRoot) {
  write("subuid", "root:200000:65536\nranger:300000:65536\n");
  write("subgid", "root:200000:65536\nranger:300000:65536\n");
  const auto policy = [&](const std::string& identity) {
    return caller_.file_outside("policy.json",
                                concat(R"({"extends": "workspace", "identity": )", identity, "}"));
  };
  expect_refused(
      as_root(observed({"--policy", policy(R"({"uid": 12345, "gid": 12345, "id_ranges": true})")})),
      126,
      AllOf(HasSubstr("newuidmap gives ranges to the caller alone"), HasSubstr("identity.uid")));
  EXPECT_EQ(as_root(observed({"--policy", policy(R"({"uid": 12345, "gid": 12345})")})).exit_code,
            0);
  EXPECT_EQ(as_root(owners({"--policy", policy(R"({"uid": 0, "id_ranges": true})")})).exit_code, 0)
      << "root by its number is the caller";
}

TEST_F(IdRanges, HaveATimeOfTheirOwn) {
  EXPECT_THAT(as_user({"run", "--timing", "--id-ranges", "--", "true"}).err,
              HasSubstr("  id_ranges\n"));
  EXPECT_THAT(as_user({"run", "--timing", "--", "true"}).err, Not(HasSubstr("id_ranges")));
}

TEST_F(IdRanges, AreTriedByDoctor) {
  const auto row = [&](const Answer& answer) {
    const std::size_t begin = answer.out.find("id-ranges");
    return answer.out.substr(begin, answer.out.find("\n\n", begin) - begin);
  };
  EXPECT_THAT(as_user({"doctor"}).out, HasSubstr("ok    id-ranges"));
  EXPECT_THAT(row(as_user({"doctor"})), HasSubstr("/usr/bin/newuidmap mapped 65537 users"));
  EXPECT_THAT(row(as_root({"doctor"})), HasSubstr("/etc/subuid gives no ids to 'root' (0)"));
  replace_newuidmap("/bin/true");
  EXPECT_THAT(as_user({"doctor"}).out, HasSubstr("no    id-ranges"));
  EXPECT_THAT(row(as_user({"doctor"})), HasSubstr("did not write the id map that was asked for"));
}

bool refuse_to_die_with_parent() {
  return refuse_call({.number = SYS_prctl,
                      .argument = 0,
                      .test = RefusedCall::Test::equals,
                      .value = PR_SET_PDEATHSIG,
                      .error = EPERM});
}

// doctor's child, whose ids are mapped, must end with doctor. The child once did not check that
// PR_SET_PDEATHSIG worked. If doctor had died before, it waited for ever.
TEST_F(IdRanges, AreTriedByDoctorOnAProcessThatDoesNotOutliveIt) {
  replace_newuidmap("/bin/sleep");
  write("subuid", "root:200000:65536\n");
  write("subgid", "root:200000:65536\n");
  // Whether the child comes into this state while newuidmap hangs and doctor waits for it.
  const auto comes_to = [&](char state) {
    Call doctor = start({}, {"doctor"});
    Child hanging;
    while (hanging.state != 'S') hanging = child_named("newuidmap", doctor.pid());
    bool came = false;
    while (!came && child_named("newuidmap", doctor.pid()).state == 'S')
      came = child_named("bawn", doctor.pid()).state == state;
    if (came) kill(hanging.pid, SIGKILL);
    return doctor.finish().exit_code.has_value() && came;
  };
  EXPECT_TRUE(comes_to('S')) << "the control: it waits where the kernel would end it";
  const pid_t crippled = fork();
  if (crippled == 0) _exit(refuse_to_die_with_parent() && comes_to('Z') ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(crippled, &status, 0), crippled);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace bawn
