// A later run with another workspace or policy, and another local user, gain nothing from what a
// run has left.
//
// In every test a first run leaves something where it may write. Then a second run, which knows
// nothing of the first, finds it. The control shows that the second run can do the same where no
// run has been.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "caller.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kPolicy = R"({"executables": {"allow": "all", "interpreters": true}})";
constexpr std::string_view kProfile =
    R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["bpf"], "action": "SCMP_ACT_ERRNO"}]})";

Fd listener_at(const std::string& path) {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(address.sun_path, path.data(), path.size());
  EXPECT_EQ(bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(socket.get(), 1), 0);
  return socket;
}

// The first run works in `repo`; `pkg` is a directory in it. `other` is the workspace of a second
// run that needs one. No policy grants `secret`.
class SecondRun : public testing::TestWithParam<const char*> {
 protected:
  SecondRun() {
    for (const std::string& directory : {pkg_, other_, secret_}) fs::create_directories(directory);
    std::ofstream(secret_ + "/key") << "a secret";
    caller_.set_variable("HOME", caller_.outside() + "/home");
    fs::create_directory(caller_.outside() + "/home");
  }

  [[nodiscard]] Answer run(const Words& options, const Words& verb) const {
    return caller_.call(
        joined(joined({"run", "--tier", GetParam()}, options), joined({"--", guest()}, verb)));
  }

  // Uses a run that may write to the repository, as an attacker would. Its words come from stdin,
  // where the validator does not look.
  void leave(const Words& verb) const {
    std::string lines;
    for (const std::string& word : verb) lines += word + "\n";
    const Answer left = caller_.call(
        {"run", "--tier", GetParam(), "--workspace", repo_, "--", guest(), "from-stdin"},
        {.in = lines});
    ASSERT_EQ(left.out, "ok\n") << left.err;
  }

  void leave_link(const std::string& target, const std::string& path) const {
    fs::remove_all(path);
    leave({"symlink", target, path});
  }

  // run, check and explain all refuse these options with this message.
  void expect_refused(const Words& options, const std::string& message) const {
    for (const std::string name : {"run", "check", "explain"}) {
      const Answer answer = caller_.call(
          joined(joined({name, "--tier", GetParam()}, options), {"--", guest(), "exit", "0"}));
      EXPECT_EQ(answer.exit_code, 126) << name << answer.out;
      EXPECT_THAT(answer.err + answer.out,
                  AllOf(HasSubstr("by way of the link"), HasSubstr(message)))
          << name;
    }
  }

  Caller caller_;
  std::string repo_ = caller_.outside() + "/repo";
  std::string pkg_ = repo_ + "/pkg";
  std::string other_ = caller_.outside() + "/other";
  std::string secret_ = caller_.outside() + "/secret";
};

// Run 1 once turned repo/pkg into a link, and run 2 with --workspace repo/pkg read the target.
TEST_P(SecondRun, IsNotGivenTheTargetOfALinkThatReplacedItsWorkspace) {
  leave_link(secret_, pkg_);
  const std::string real = "'" + secret_ + "'";
  expect_refused({"--workspace", pkg_}, real);
  expect_refused({"--workspace", pkg_ + "/."}, real);
  expect_refused({"--workspace", "../outside/repo/pkg"}, real);
  const std::string policy = caller_.file_outside(
      "names.json",
      R"({"executables": {"allow": "all"}, "workspace": {"root": ")" + pkg_ + R"("}})");
  expect_refused({"--policy", policy}, real);
  EXPECT_EQ(run({"--workspace", secret_}, {"read", secret_ + "/key"}).out, "ok\n")
      << "by its own name";
}

TEST_P(SecondRun, IsNotGivenTheTargetOfALinkAboveItsWorkspace) {
  fs::create_directories(secret_ + "/sub");
  leave_link(secret_, pkg_);
  expect_refused({"--workspace", pkg_ + "/sub"}, "'" + secret_ + "/sub'");
  EXPECT_EQ(run({"--workspace", secret_ + "/sub"}, {"look-at", secret_ + "/sub"}).out, "ok\n");
}

TEST_P(SecondRun, IsNotGivenTheTargetOfALinkThatReplacedAGrant) {
  leave_link(secret_, pkg_);
  for (const std::string option : {"--ro", "--rw"}) {
    expect_refused({"--workspace", other_, option, pkg_}, option + " " + secret_ + " (");
    EXPECT_EQ(run({"--workspace", other_, option, secret_}, {"read", secret_ + "/key"}).out, "ok\n")
        << option;
  }
}

// The shell follows the link. Only PWD still tells that the directory was reached through it.
TEST_P(SecondRun, IsNotGivenTheCurrentDirectoryIfALinkLedThere) {
  leave_link(secret_, pkg_);
  const auto run_in = [&](const std::string& directory, const Words& options) {
    const Words shell = {"sh",
                         "-c",
                         "cd \"$0\" && PWD=$PWD exec \"$@\"",
                         directory,
                         named_by("BAWN_BINARY"),
                         "run",
                         "--tier",
                         GetParam()};
    return caller_
        .start_program("/bin/sh",
                       joined(joined(shell, options), {"--", guest(), "read", secret_ + "/key"}))
        .finish();
  };
  for (const Words& options : {Words{}, Words{"--workspace", "."}}) {
    const Answer refused = run_in(pkg_, options);
    EXPECT_EQ(refused.exit_code, 126);
    EXPECT_THAT(refused.err, HasSubstr("'" + secret_ + "'"));
    EXPECT_EQ(run_in(secret_, options).out, "ok\n");
  }
  fs::create_directory_symlink(secret_, caller_.outside() + "/home/mine");
  EXPECT_EQ(run_in(caller_.outside() + "/home/mine", {}).out, "ok\n")
      << "a link of the home itself";
}

TEST_P(SecondRun, MayBeNamedByALinkOfTheHomeItself) {
  const std::string home = caller_.outside() + "/home";
  fs::create_directory_symlink(secret_, home + "/work");
  EXPECT_EQ(run({"--workspace", home + "/work"}, {"read", secret_ + "/key"}).out, "ok\n");
  EXPECT_EQ(run({"--workspace", other_, "--ro", home + "/work"}, {"read", secret_ + "/key"}).out,
            "ok\n");
}

// Another user cannot write to the first user's directories, but can write to shared ones.
TEST_P(SecondRun, IsNotGivenTheTargetOfALinkOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a link of another user's";
  const std::string home = caller_.outside() + "/home";
  fs::create_directory_symlink(secret_, home + "/theirs");
  EXPECT_EQ(run({"--workspace", home + "/theirs"}, {"read", secret_ + "/key"}).out, "ok\n");
  ASSERT_EQ(lchown((home + "/theirs").c_str(), 12345, 12345), 0);
  expect_refused({"--workspace", home + "/theirs"}, "belongs to another user");
  expect_refused({"--workspace", other_, "--ro", home + "/theirs"}, "belongs to another user");
}

INSTANTIATE_TEST_SUITE_P(Tiers, SecondRun, testing::Values("b", "c"));

// Only tier c: tier b grants nothing because of PATH, and lets no run bind a Unix socket to a path.
class SecondRunInTierC : public SecondRun {};

TEST_P(SecondRunInTierC, IsNotShownWhereALinkOnThePathLeads) {
  const auto sees = [&](const std::string& path) {
    caller_.set_variable("PATH", path + ":/usr/bin:/bin");
    return run({"--workspace", other_}, {"look-at", secret_ + "/key"}).out;
  };
  EXPECT_EQ(sees(secret_), "ok\n") << "what the PATH names itself is shown";
  leave_link(secret_, pkg_);
  EXPECT_EQ(sees(pkg_), "ENOENT\n");
  fs::create_directories(repo_ + "/v1");
  leave_link("v1", pkg_);
  caller_.set_variable("PATH", pkg_ + ":/usr/bin:/bin");
  EXPECT_EQ(run({"--workspace", other_}, {"look-at", repo_ + "/v1"}).out, "ok\n")
      << "as version managers do it";
}

// The socket's name stays, but the process that listened ended with its run.
TEST_P(SecondRunInTierC, FindsNoListenerAtASocketThatWasLeft) {
  const std::string left = pkg_ + "/left";
  const std::string own = pkg_ + "/own";
  leave({"leave-listener", left});
  const Fd listener = listener_at(own);
  const Words options = {"--workspace", pkg_};
  EXPECT_EQ(run(options, {"connect-unix", left}).out, "ECONNREFUSED\n");
  EXPECT_EQ(run(options, {"connect-unix", own}).out, "ok\n") << "of a process that lives";
}

INSTANTIATE_TEST_SUITE_P(Tiers, SecondRunInTierC, testing::Values("c"));

// A policy or a seccomp profile in the repository also decides about the next run.
struct InputRow {
  std::string name;
  std::string option;
  std::string_view text;

  friend std::ostream& operator<<(std::ostream& out, const InputRow& row) {
    return out << row.option;
  }
};

class Decisive : public testing::TestWithParam<InputRow> {
 protected:
  Decisive() {
    fs::create_directories(caller_.workspace() + "/conf");
    file_ = caller_.file("conf/input.json", GetParam().text);
  }

  [[nodiscard]] Answer run(const std::string& tier, const std::string& file,
                           const Words& verb) const {
    return caller_.call(
        joined({"run", "--tier", tier, GetParam().option, file, "--", guest()}, verb));
  }

  Caller caller_;
  std::string file_;
};

TEST_P(Decisive, FileIsKeptAsItIsByTheRunThatReadIt) {
  const std::string directory = caller_.workspace() + "/conf";
  const std::string beside = caller_.file("conf/beside.json", "");
  const std::vector<Words> attacks = {
      {"append", file_},
      {"truncate", file_},
      {"open-truncating", file_},
      {"remove", file_},
      {"rename", file_, directory + "/moved"},
      {"replace", file_, directory + "/new"},
      {"exchange", file_, beside},
      {"rename", directory, caller_.workspace() + "/moved"},
      {"exchange", directory, caller_.workspace() + "/another"},
  };
  fs::create_directory(caller_.workspace() + "/another");
  for (const Words& attack : attacks) {
    for (const std::string& named : {file_, std::string("./conf/../conf/input.json")}) {
      const Answer answer = run("c", named, attack);
      EXPECT_THAT(answer.out, AllOf(Not(HasSubstr("ok")), Not(testing::IsEmpty())))
          << attack[0] << answer.err;
      EXPECT_THAT(answer.err, HasSubstr("'" + file_ + "' lies where the command may write"))
          << attack[0];
      std::ifstream in(file_);
      EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), GetParam().text) << attack[0];
    }
  }
  EXPECT_EQ(run("c", file_, {"read", file_}).out, "ok\n");
  EXPECT_EQ(run("c", file_, {"append", beside}).out, "ok\n") << "only that file";
  EXPECT_EQ(run("c", file_, {"create", directory + "/fresh"}).out, "ok\n");
  const std::string outside = caller_.file_outside("input.json", GetParam().text);
  EXPECT_EQ(run("c", outside, {"append", file_}).out, "ok\n") << "a file that decides nothing here";
  EXPECT_EQ(run("c", outside, {"append", file_}).err, "") << "and no notice";
}

TEST_P(Decisive, FileIsAnExceptionThatExplainShows) {
  const Answer answer = caller_.call(
      {"explain", "--tier", "c", GetParam().option, "conf/input.json", "--", guest(), "exit", "0"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, testing::ContainsRegex(file_ + ".*" + GetParam().option));
}

TEST_P(Decisive, FileIsNotReachedByALinkThatTheCommandCouldReplace) {
  const std::string outside = caller_.file_outside("input.json", GetParam().text);
  fs::create_symlink(outside, caller_.workspace() + "/link.json");
  for (const std::string name : {"run", "check", "explain"}) {
    const Answer answer = caller_.call(
        {name, "--tier", "c", GetParam().option, "link.json", "--", guest(), "exit", "0"});
    EXPECT_EQ(answer.exit_code, 126) << name;
    EXPECT_THAT(answer.err + answer.out, HasSubstr("'" + outside + "'")) << name;
  }
  EXPECT_EQ(run("c", outside, {"exit", "0"}).exit_code, 0);
}

TEST_P(Decisive, FileWithASecondNameIsRefused) {
  fs::create_hard_link(file_, caller_.outside() + "/second");
  EXPECT_THAT(run("c", file_, {"exit", "0"}).err, HasSubstr("2 names"));
  EXPECT_THAT(run("c", caller_.outside() + "/second", {"exit", "0"}).err, HasSubstr("2 names"));
  fs::remove(caller_.outside() + "/second");
  EXPECT_EQ(run("c", file_, {"exit", "0"}).exit_code, 0);
}

// An earlier run may have left a FIFO in the place of the file. bawn once waited for a writer.
TEST_P(Decisive, FileThatIsNotRegularIsAnErrorAndNotWaitedFor) {
  const std::string place = caller_.workspace() + "/place";
  const auto expect_error = [&](const std::string& kind) {
    for (const std::string name : {"run", "check", "explain"}) {
      const Answer answer =
          caller_.call({name, "--tier", "c", GetParam().option, place, "--", guest(), "exit", "0"});
      EXPECT_THAT(answer.exit_code, testing::AnyOf(125, 126)) << name << kind;
      EXPECT_THAT(answer.err + answer.out, AllOf(HasSubstr(place), HasSubstr(kind))) << name;
    }
    fs::remove(place);
  };
  ASSERT_EQ(caller_.run({"make-fifo", place}).out, "ok\n");
  expect_error("a FIFO");
  ASSERT_EQ(caller_.run({"make-directory", place}).out, "ok\n");
  expect_error("a directory");
  const Fd socket = listener_at(place);
  expect_error("a socket");
  fs::create_symlink("/dev/zero", place);
  expect_error("a character device");
  std::ofstream(place) << std::string(4 << 20, ' ');
  expect_error("longer than");
}

INSTANTIATE_TEST_SUITE_P(Inputs, Decisive,
                         testing::Values(InputRow{"Policy", "--policy", kPolicy},
                                         InputRow{"Profile", "--seccomp", kProfile}),
                         [](const testing::TestParamInfo<InputRow>& row) {
                           return row.param.name;
                         });

// Tier b takes no seccomp profile.
class DecisiveInTierB : public Decisive {};

TEST_P(DecisiveInTierB, FileIsRefusedWhereTheCommandMayWrite) {
  const Answer answer = run("b", "conf/input.json", {"append", file_});
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_THAT(answer.err,
              AllOf(HasSubstr(file_), HasSubstr("tier b cannot except it"), HasSubstr("outside")));
  const std::string outside = caller_.file_outside("input.json", GetParam().text);
  EXPECT_EQ(run("b", outside, {"append", file_}).out, "ok\n");
}

INSTANTIATE_TEST_SUITE_P(Inputs, DecisiveInTierB,
                         testing::Values(InputRow{"Policy", "--policy", kPolicy}));

TEST(DecisivePipe, IsReadIfItWasHandedToBawn) {
  const Caller caller;
  const Words command = {"--", guest(), "print", "ran"};
  for (const std::string path : {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}) {
    const Answer answer =
        caller.call(joined({"run", "--policy", path}, command), {.in = std::string(kPolicy)});
    EXPECT_EQ(answer.exit_code, 0) << path << answer.err;
    EXPECT_EQ(answer.err, "") << "it lies nowhere";
    const Answer lint = caller.call({"policy", "show", path}, {.in = std::string(kPolicy)});
    EXPECT_EQ(lint.exit_code, 0) << lint.err;
  }
  std::filesystem::create_symlink("/proc/self/fd/0", caller.workspace() + "/policy.json");
  const Answer planted = caller.call(joined({"run", "--policy", "policy.json"}, command));
  EXPECT_EQ(planted.exit_code, 125)
      << "a link that a run has left does not name what was handed to bawn";
  EXPECT_THAT(planted.err, HasSubstr("a FIFO"));
}

// The file is the policy of the next run too, so it is protected although it came as a descriptor.
TEST(DecisivePipe, ThatIsAFileOfTheWorkspaceIsProtectedByItsName) {
  const Caller caller;
  const std::string file = caller.file("policy.json", kPolicy);
  const Fd open_file(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  const Answer answer =
      caller.call({"run", "--tier", "c", "--policy", "/dev/fd/5", "--", guest(), "append", file},
                  {.files = {{5, open_file.get()}}});
  EXPECT_THAT(answer.out, Not(HasSubstr("ok"))) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("'" + file + "'"));
}

TEST(DecisiveVariable, OfBawnNamesAFileThatIsProtected) {
  Caller caller;
  const std::string file = caller.file("policy.json", kPolicy);
  caller.set_variable("BAWN_POLICY", "policy.json");
  const Answer answer = caller.call({"run", "--tier", "c", "--", guest(), "append", file});
  EXPECT_THAT(answer.out, Not(HasSubstr("ok"))) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("BAWN_POLICY: '" + file + "'"));
}

TEST(DecisiveRequest, ThatIsNoFileIsAnErrorAndNotWaitedFor) {
  const Caller caller;
  const std::string place = caller.workspace() + "/request.json";
  ASSERT_EQ(caller.run({"make-fifo", place}).out, "ok\n");
  for (const std::string name : {"check", "explain"}) {
    const Answer answer = caller.call({name, "--mode", "agent", "--request", place});
    EXPECT_EQ(answer.exit_code, 125) << name;
    EXPECT_THAT(answer.err, AllOf(HasSubstr(place), HasSubstr("a FIFO"))) << name;
  }
  const std::string request = caller.file("good.json", R"({"command": "true"})");
  const Words check = {"check", "--mode", "agent", "--allow-exec", "true", "--request"};
  EXPECT_EQ(caller.call(joined(check, {request})).exit_code, 0);
  EXPECT_EQ(caller.call(joined(check, {"/dev/stdin"}), {.in = R"({"command": "true"})"}).exit_code,
            0);
}

// A file that stays where another user finds it, and gives rights that this user does not have.
struct LeftFile {
  std::string tier;
  std::string verb;
};

class SetId : public testing::TestWithParam<LeftFile> {};

TEST_P(SetId, FileIsNotLeftForAnotherUser) {
  const Caller caller;
  const std::string file = caller.file("tool", "");
  const Answer answer = caller.call(
      {"run", "--tier", GetParam().tier, "--", guest(), GetParam().verb, "04755", file});
  EXPECT_THAT(answer.out, AllOf(Not(HasSubstr("ok")), Not(testing::IsEmpty()))) << answer.err;
  struct stat status {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & (S_ISUID | S_ISGID), 0U);
  const Answer control =
      caller.call({"run", "--mode", "disabled", "--", guest(), GetParam().verb, "04755", file});
  EXPECT_EQ(control.out, "ok\n") << control.err;
}

INSTANTIATE_TEST_SUITE_P(
    Verbs, SetId,
    testing::Values(LeftFile{"b", "mode-by-chmod"}, LeftFile{"b", "mode-by-fchmod"},
                    LeftFile{"b", "mode-by-fchmodat"}, LeftFile{"c", "mode-by-chmod"},
                    LeftFile{"c", "mode-by-fchmod"}, LeftFile{"c", "mode-by-fchmodat"}));

class SharedDirectory : public testing::TestWithParam<const char*> {};

TEST_P(SharedDirectory, HasNothingOfTheRunAfterwards) {
  const Caller caller;
  for (const char* directory : {"/tmp", "/dev/shm"}) {
    const std::string left =
        std::string(directory) + "/second-party-left-" + GetParam() + std::to_string(getpid());
    const Answer answer = caller.call({"run", "--tier", GetParam(), "--", guest(), "create", left});
    EXPECT_FALSE(fs::exists(left)) << answer.out;
    const Answer control =
        caller.call({"run", "--mode", "disabled", "--", guest(), "create", left});
    EXPECT_EQ(control.out, "ok\n") << control.err;
    EXPECT_TRUE(fs::remove(left));
  }
}

INSTANTIATE_TEST_SUITE_P(Tiers, SharedDirectory, testing::Values("b", "c"));

}  // namespace
}  // namespace bawn
