// Options, variables and arguments that bawn does not understand: the message names the argument
// and says what would be right.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct BadValue {
  const char* option;
  const char* value;
};

constexpr BadValue kBadValues[] = {
    {"--policy", ""},
    {"--mode", ""},
    {"--mode", "Basic"},
    {"--workspace", ""},
    {"--tier", "d"},
    {"--tier", "unconfined"},
    {"--egress", "maybe"},
    {"--allow-host", "http://example.com/"},
    {"--allow-host", ""},
    {"--memory", "12X"},
    {"--memory", "-1"},
    {"--memory", "1"},
    {"--cpu", "2"},
    {"--cpu", "1.5s"},
    {"--timeout", "soon"},
    {"--timeout", "0s"},
    {"--pids", "0"},
    {"--pids", "many"},
    {"--open-files", "1"},
    {"--open-files", "1M"},
    {"--output", "99999999T"},
    {"--file-size", "big"},
    {"--tmp-size", ""},
    {"--env", "NAME"},
    {"--env", "=VALUE"},
    {"--env", "1A=x"},
    {"--pass-env", ""},
    {"--pass-env", "A B"},
    {"--ro", ""},
    {"--rw", ""},
    {"--ro", ":/data"},
    {"--ro", "/:/"},
    {"--rw", "/tmp:/a/../b"},
    {"--rw", "/tmp:/a/"},
    {"--hide", ""},
    {"--protect", ""},
    {"--git-hooks", "opened"},
    {"--allow-exec", ""},
    {"--seccomp", ""},
    {"--status-fd", "one"},
    {"--log-level", "shout"},
};

TEST(Option, WithABadValueIsNamedInTheErrorAndNothingRuns) {
  const Caller caller;
  for (const BadValue& bad : kBadValues) {
    // Tier b, so that the option under test is the only thing that is wrong.
    const Words words = {"run", "--tier", "b",      bad.option, bad.value,
                         "--",  guest(),  "create", "observer"};
    const Answer answer = caller.call(words);
    EXPECT_EQ(answer.exit_code, 125) << bad.option << " '" << bad.value << "': " << answer.err;
    EXPECT_THAT(answer.err, HasSubstr(bad.option)) << "'" << bad.value << "'";
  }
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/observer"));
}

// Some users read "none" as no restriction, others as no network.
TEST(Option, OfTheNetworkNamesBothThatNoneCouldMean) {
  const Caller caller;
  const std::string policy = caller.file_outside("none.json", R"({"egress": {"mode": "none"}})");
  for (const Words& words : {Words{"--egress", "none"}, Words{"--policy", policy}}) {
    const Answer answer =
        caller.call(joined(joined({"run"}, words), {"--", guest(), "create", "observer"}));
    EXPECT_EQ(answer.exit_code, 125);
    EXPECT_THAT(answer.err, AllOf(HasSubstr("'allow_all'"), HasSubstr("'block_all'")));
  }
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/observer"));
  EXPECT_EQ(caller.call({"policy", "lint", policy}).exit_code, 125);
  EXPECT_THAT(caller.call({"policy", "show", "basic"}).out, HasSubstr("\"allow_all\""));
  EXPECT_EQ(caller.call({"run", "--egress", "allow_all", "--", guest(), "exit", "0"}).exit_code, 0);
}

// The message once offered 'unconfined', which the option then refused.
TEST(Option, OfTheTierOffersOnlyWhatItTakes) {
  const Caller caller;
  EXPECT_EQ(caller.call({"run", "--tier", "d", "--", "true"}).err,
            "bawn: run: --tier: 'd' is not a tier: expected auto, process (b) or namespaces (c)\n");
}

TEST(Option, OfTheTierTakesItsWordAsWellAsItsLetter) {
  const Caller caller;
  const std::pair<std::string, std::string> kTiers[] = {
      {"b", "b"}, {"process", "b"}, {"c", "c"}, {"namespaces", "c"}};
  for (const auto& [typed, printed] : kTiers) {
    const Answer answer =
        caller.call({"run", "--tier", typed, "--json", "--", guest(), "exit", "0"});
    EXPECT_EQ(at(printed_json(answer.out), "/tier"), printed) << typed << answer.err;
  }
}

TEST(Option, OfTheTierSaysThatThereIsNoTierA) {
  const Caller caller;
  for (const std::string typed : {"a", "wasm"}) {
    const Answer answer = caller.call({"run", "--tier", typed, "--", "true"});
    EXPECT_EQ(answer.exit_code, 125);
    EXPECT_EQ(answer.err, "bawn: run: --tier: '" + typed +
                              "' is not a tier: this version has no tier a (wasm): say 'process' "
                              "(tier b) or 'namespaces' (tier c)\n");
  }
}

// The messages once gave the range in internal units: '--cpus 0' was told "from 1 to 1048576", and
// '--timeout 5ms' that 5 is not 10.
TEST(Option, WithAnAmountOutOfRangeIsToldTheRangeInItsOwnUnit) {
  Caller caller;
  const std::string_view kLines[][3] = {
      {"--cpus", "0", "expected 0.01 to 10485.76, or unlimited, found '0'"},
      {"--cpus", "20000", "expected 0.01 to 10485.76, or unlimited, found '20000'"},
      {"--timeout", "5ms", "expected 10ms to 366d, or unlimited, found '5ms'"},
      {"--cpu", "1ms", "expected 10ms to 366d, or unlimited, found '1ms'"},
      {"--memory", "1K", "expected 1M to "},
      {"--pids", "0", "expected 1 to 4194304, or unlimited, found '0'"},
  };
  for (const auto& [option, value, expected] : kLines) {
    const Answer answer =
        caller.call({"run", std::string(option), std::string(value), "--", "true"});
    EXPECT_EQ(answer.exit_code, 125);
    EXPECT_THAT(answer.err,
                StartsWith("bawn: run: " + std::string(option) + ": " + std::string(expected)));
  }
  caller.set_variable("BAWN_TIMEOUT", "5ms");
  EXPECT_THAT(caller.call({"run", "--", "true"}).err,
              HasSubstr("BAWN_TIMEOUT: expected 10ms to 366d"));
}

// The canonical path of a grant once hid from the validator that a link of an earlier run led
// there.
TEST(Option, ForAGrantKeepsTheLinksInIt) {
  const Caller caller;
  const std::string place = caller.outside() + "/place";
  std::filesystem::create_directories(place);
  const std::string note = caller.file_outside("place/note", "a note");
  std::filesystem::create_directory_symlink(place, caller.workspace() + "/data");
  const auto read = [&](const std::string& option, const std::string& value) {
    return caller.call({"run", "--tier", "c", option, value, "--", "cat", note});
  };
  for (const std::string option : {"--ro", "--rw"}) {
    EXPECT_EQ(read(option, place).out, "a note");
    EXPECT_EQ(read(option, place + "/../place").out, "a note") << "up from no link";
    const Answer by_link = read(option, "data");
    EXPECT_EQ(by_link.exit_code, 126);
    EXPECT_THAT(by_link.err, HasSubstr("by way of the link"));
    const Answer behind_link = read(option, "data/../place");
    EXPECT_EQ(behind_link.exit_code, 125);
    EXPECT_THAT(behind_link.err, HasSubstr("write it without '..'"));
  }
}

// '--' was once taken for the value: 'bawn run --ro -- ls' said that '/work/--' does not exist.
TEST(Option, WithoutItsValueDoesNotSwallowTheEndOfTheOptions) {
  const Caller caller;
  for (const std::string option : {"--ro", "--env", "--timeout", "--mode", "--status-fd"}) {
    for (const Words& rest : {Words{"--", "true"}, Words{}}) {
      const Answer answer = caller.call(joined({"run", option}, rest));
      EXPECT_EQ(answer.exit_code, 125);
      EXPECT_THAT(answer.err, HasSubstr(option + " needs a value: " + option + " "));
    }
  }
  caller.file("--", "a note");
  EXPECT_EQ(caller.call({"run", "--ro=--", "--", "cat", "--", "--"}).out, "a note");
}

// '--allow-exec --json -- true' once allowed a program called '--json'.
TEST(Option, WithoutItsValueDoesNotSwallowTheNextOption) {
  const Caller caller;
  for (const std::string option : {"--allow-exec", "--env", "--timeout", "--mode", "--status-fd"}) {
    for (const std::string next : {"--json", "--mode=basic", "-h", "--request"}) {
      const Answer answer = caller.call({"run", option, next, "--", "true"});
      EXPECT_EQ(answer.exit_code, 125) << option << next;
      EXPECT_THAT(answer.err,
                  AllOf(HasSubstr(option + " needs a value: " + option + " "),
                        HasSubstr("'" + next + "'"), HasSubstr("write " + option + "=")));
    }
  }
  const Words agent = {"run", "--mode", "agent", "--tier", "b", "--allow-exec", guest()};
  EXPECT_EQ(caller.call(joined(agent, {"--hide", "--jsn", "--", guest(), "exit", "0"})).exit_code,
            126)
      << "no option: a path, which tier b cannot hide";
  EXPECT_EQ(
      caller.call(joined(agent, {"--allow-exec=--json", "--", guest(), "exit", "0"})).exit_code, 0);
}

// For most options the last value once won silently.
TEST(Option, WithOneValueMayStandOnce) {
  const Caller caller;
  const std::pair<std::string, std::string> options[] = {
      {"--policy", "p.json"},   {"--mode", "basic"},       {"--workspace", "."},
      {"--tier", "b"},          {"--egress", "allow_all"}, {"--memory", "1G"},
      {"--cpu", "1s"},          {"--timeout", "1s"},       {"--pids", "10"},
      {"--open-files", "64"},   {"--output", "1M"},        {"--file-size", "1M"},
      {"--tmp-size", "1M"},     {"--cpus", "1"},           {"--cgroup-parent", "/"},
      {"--total-memory", "1G"}, {"--total-pids", "10"},    {"--seccomp", "default"},
      {"--status-fd", "1"},     {"--log-level", "off"},    {"--git-hooks", "open"},
  };
  for (const auto& [option, value] : options) {
    const Answer answer = caller.call({"run", option, value, option + "=" + value, "--", "true"});
    EXPECT_EQ(answer.exit_code, 125) << option;
    EXPECT_EQ(answer.err, "bawn: run: " + option + " is given twice\n");
  }
  const Words often = {"--env", "A=1",       "--env", "B=2",       "--protect",
                       "a",     "--protect", "b",     "--as-root", "--as-root"};
  const Answer answer =
      caller.call(joined(joined({"run"}, often), {"--", guest(), "list-environment"}));
  EXPECT_THAT(answer.out, AllOf(HasSubstr("A=1\n"), HasSubstr("B=2\n"))) << answer.err;
}

// All mistakes once stood in one message, with '\x0a' between them.
TEST(Option, OfASeccompProfileTellsEachMistakeInItByItself) {
  const Caller caller;
  const std::string profile =
      caller.file_outside("profile.json", R"({"defaultAction": 1, "syscalls": 2})");
  const Answer answer = caller.call({"run", "--seccomp", profile, "--", "true"});
  EXPECT_EQ(answer.exit_code, 126);
  for (const char* place : {"1:19: defaultAction: ", "1:34: syscalls: "})
    EXPECT_THAT(answer.err, HasSubstr("bawn: denied: seccomp profile '" + profile + "': " + place));
  EXPECT_THAT(answer.err, testing::Not(HasSubstr("\\x0a")));
}

TEST(Option, OfAGrantMaySayWhereTheCommandSeesIt) {
  const Caller caller;
  const std::string outside = caller.outside();
  std::filesystem::create_directories(outside + "/a:/b");
  caller.file_outside("note", "a note");
  caller.file_outside("a:/b/note", "a note");
  std::filesystem::create_directories(caller.workspace() + "/sub");
  caller.file("sub/note", "a note");
  const auto read = [&](const std::string& option, const std::string& value) {
    return caller.call({"run", "--tier", "c", option, value, "--", guest(), "read", "/data/note"});
  };
  EXPECT_EQ(read("--ro", outside + ":/data").out, "ok\n");
  EXPECT_EQ(read("--rw", outside + ":/data").out, "ok\n");
  EXPECT_EQ(read("--ro", outside).out, "ENOENT\n");
  EXPECT_EQ(read("--ro", "sub:/data").out, "ok\n") << "seen from the current directory";
  EXPECT_EQ(read("--ro", outside + "/a:/b:/data").out, "ok\n") << "the last ':/' counts";
  const Answer answer = read("--ro", outside + "/a:/b");
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("does not exist"), HasSubstr("policy file")));
}

TEST(Option, MayBeWrittenWithAnEqualsSign) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--tier=b", "--env=GREETING=a=b", "--", guest(), "list-environment"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("GREETING=a=b\n"));
}

TEST(Option, ThatIsMisspeltGetsASuggestion) {
  const Caller caller;
  EXPECT_THAT(caller.call({"run", "--timout", "5s", "--", "true"}).err,
              AllOf(HasSubstr("'--timout'"), HasSubstr("did you mean '--timeout'?")));
  EXPECT_THAT(caller.call({"check", "--requst", "-"}).err, HasSubstr("did you mean '--request'?"));
  EXPECT_THAT(caller.call({"exec", "--alow-exec", "ls"}).err,
              HasSubstr("did you mean '--allow-exec'?"));
}

TEST(Option, OfAnotherSubcommandIsUnknown) {
  const Caller caller;
  EXPECT_THAT(caller.call({"run", "--request", "-", "--", "true"}).err, HasSubstr("'--request'"));
  EXPECT_THAT(caller.call({"exec", "--status-fd", "1"}).err, HasSubstr("'--status-fd'"));
}

TEST(Option, BehindTheCommandBelongsToTheCommand) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--tier", "b", guest(), "print", "--mode", "--help", "--"});
  EXPECT_EQ(answer.out, "--mode\n--help\n--\n") << answer.err;
}

TEST(Subcommand, ThatIsMisspeltGetsASuggestion) {
  const Caller caller;
  for (const auto& [typed, meant] :
       {std::pair{"rnu", "bawn run"}, {"chekc", "bawn check"}, {"polcy", "bawn policy"}}) {
    const Answer answer = caller.call({typed});
    EXPECT_EQ(answer.exit_code, 125);
    EXPECT_THAT(answer.err, AllOf(HasSubstr(typed), HasSubstr(meant)));
  }
}

TEST(Subcommand, ThatWasForgottenIsAskedFor) {
  const Caller caller;
  EXPECT_THAT(caller.call({"ls", "-l"}).err, AllOf(HasSubstr("'ls'"), HasSubstr("bawn run")));
  EXPECT_THAT(caller.call({"--mode", "basic", "--", "ls"}).err,
              AllOf(HasSubstr("'--mode'"), HasSubstr("bawn run")));
}

TEST(Subcommand, IsNotPrintedRawOnATerminal) {
  const Caller caller;
  EXPECT_THAT(caller.call({"\x1b[2J"}).err, testing::Not(HasSubstr("\x1b")));
}

TEST(Help, IsThereForEverySubcommandAndSaysHowItIsUsed) {
  const Caller caller;
  for (const std::string name : {"run", "exec", "check", "explain", "policy", "bench"}) {
    for (const Words& words : {Words{name, "--help"}, Words{name, "-h"}, Words{"help", name}}) {
      const Answer answer = caller.call(words);
      EXPECT_EQ(answer.exit_code, 0) << answer.err;
      EXPECT_THAT(answer.out, StartsWith("bawn " + name)) << testing::PrintToString(words);
    }
  }
  EXPECT_THAT(caller.call({"run", "--help"}).out,
              AllOf(HasSubstr("Examples"), HasSubstr("--status-fd N")));
  EXPECT_THAT(caller.call({"--help"}).out, AllOf(HasSubstr("bawn run"), HasSubstr("Exit codes")));
}

// Half of the examples once had '--tier b', from a time when there was no tier c. A user who copied
// one got the weaker sandbox.
TEST(Help, HasNoExampleOfTheWeakerTier) {
  const Caller caller;
  for (const Words& words : {Words{"--help"}, Words{"run", "--help"}, Words{"check", "--help"}}) {
    const std::string text = caller.call(words).out;
    EXPECT_THAT(text, HasSubstr("\n  bawn ")) << "an example";
    EXPECT_THAT(text, testing::Not(HasSubstr("--tier b "))) << testing::PrintToString(words);
  }
}

TEST(Version, IsPrinted) {
  const Caller caller;
  const Answer answer = caller.call({"--version"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, testing::MatchesRegex("bawn [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

// execve() with an empty argv has been used to attack programs that count from argv[1]. Linux 5.18
// and later put an empty string there; older kernels do not.
TEST(Argv, WithNothingInItIsNoCrash) {
  const Caller caller;
  const Answer answer = caller.start_with_argv({}).finish();
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("subcommand"));
}

// Sizes around the one at which the ExecMessage no longer fits into a datagram and becomes a file.
TEST(Argv, OfAnySizeArrivesAsItIs) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    for (std::size_t size = 500; size < 20'000; size = size * 5 / 4) {
      Words words = {"run", "--tier", tier, "--", guest(), "print"};
      std::string printed;
      for (std::size_t left = size; left > 0; left -= std::min<std::size_t>(left, 4000)) {
        words.emplace_back(std::min<std::size_t>(left, 4000),
                           static_cast<char>('a' + words.size() % 26));
        printed += words.back() + "\n";
      }
      const Answer answer = caller.call(words);
      EXPECT_EQ(answer.exit_code, 0) << size << answer.err;
      EXPECT_EQ(answer.out, printed) << size;
    }
  }
}

// Started in "/home", bawn once gave the command the real home, to read and to change.
TEST(Workspace, IsNotTheHomeByAccident) {
  Caller caller;
  const Words create = {"--", guest(), "create", "observer"};
  const std::string observer = caller.workspace() + "/observer";
  const std::string below = caller.workspace() + "/homes/me";
  std::filesystem::create_directories(below);
  std::filesystem::create_directory_symlink(below, caller.outside() + "/link");
  for (const std::string& home :
       {caller.workspace(), below, below + "/.", caller.outside() + "/link"}) {
    caller.set_variable("HOME", home);
    const Answer refused = caller.call(joined({"run"}, create));
    EXPECT_EQ(refused.exit_code, 125) << home;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("your home"), HasSubstr("--workspace ."))) << home;
    EXPECT_NE(access(observer.c_str(), F_OK), 0) << home;
    EXPECT_EQ(caller.call(joined({"run", "--workspace", "."}, create)).exit_code, 0)
        << "on purpose";
    EXPECT_EQ(access(observer.c_str(), F_OK), 0) << home;
    std::filesystem::remove(observer);
  }
  for (const std::string& home : {std::filesystem::path(caller.workspace()).parent_path().string(),
                                  caller.outside(), below + "/absent"}) {
    caller.set_variable("HOME", home);
    EXPECT_EQ(caller.call(joined({"run"}, create)).exit_code, 0) << home;
    EXPECT_TRUE(std::filesystem::remove(observer)) << home;
  }
}

// The message was once only "getcwd: No such file or directory", even with --workspace.
TEST(Workspace, ThatIsGoneIsToldAndNotNeededIfAnotherIsNamed) {
  const Caller caller;
  const auto call_in_removed = [&](const Words& words) {
    const Words shell = {"sh", "-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$@\"", "sh",
                         named_by("BAWN_BINARY")};
    return caller.start_program("/bin/sh", joined(shell, words)).finish();
  };
  for (const std::string name : {"run", "check", "explain"}) {
    const Answer gone = call_in_removed({name, "--", "true"});
    EXPECT_EQ(gone.exit_code, 125);
    EXPECT_THAT(gone.err,
                AllOf(HasSubstr("the current directory is gone"), HasSubstr("--workspace")));
    const Answer named = call_in_removed({name, "--workspace", caller.workspace(), "--", "true"});
    EXPECT_EQ(named.exit_code, 0) << named.err;
    const Answer of_its_own = call_in_removed({name, "--mode", "strict", "--", "true"});
    EXPECT_EQ(of_its_own.exit_code, 0) << of_its_own.err << of_its_own.out;
  }
  EXPECT_THAT(
      call_in_removed({"run", "--ro", "x", "--workspace", caller.workspace(), "--", "true"}).err,
      HasSubstr("--ro: the current directory is gone"));
}

// Runs bawn in a user namespace with this /etc/passwd.
Answer run_with_passwd(const Caller& caller, const std::string& text, const Words& options) {
  const std::string passwd = caller.file_outside("passwd", text);
  const Words inside = {"unshare", "--map-root-user",
                        "--mount", "sh",
                        "-c",      "mount --bind \"$0\" /etc/passwd && exec \"$@\"",
                        passwd,    named_by("BAWN_BINARY"),
                        "run"};
  return caller
      .start_program("/usr/bin/unshare",
                     joined(joined(inside, options), {"--", guest(), "create", "observer"}))
      .finish();
}

// The same; /etc/passwd gives the user this home.
Answer run_with_home_in_passwd(const Caller& caller, const std::string& home,
                               const Words& options) {
  return run_with_passwd(caller, "root:x:0:0::" + home + ":/bin/sh\n", options);
}

// 'env -u HOME bawn run' once wrote into the home, and so did a run with another HOME.
TEST(Workspace, IsNotTheHomeThatTheSystemKnowsEither) {
  Caller caller;
  const std::string observer = caller.workspace() + "/observer";
  const std::string below = caller.workspace() + "/homes/me";
  std::filesystem::create_directories(below);
  for (const std::string& variable : {std::string(), caller.outside(), std::string("/absent")}) {
    if (!variable.empty()) caller.set_variable("HOME", variable);
    for (const std::string& home : {caller.workspace(), below}) {
      const Answer refused = run_with_home_in_passwd(caller, home, {});
      EXPECT_EQ(refused.exit_code, 125) << home << variable;
      EXPECT_THAT(refused.err, HasSubstr("your home")) << home << variable;
      EXPECT_FALSE(std::filesystem::exists(observer)) << home << variable;
    }
    const Answer meant = run_with_home_in_passwd(caller, below, {"--workspace", "."});
    EXPECT_EQ(meant.exit_code, 0) << meant.err;
    EXPECT_TRUE(std::filesystem::remove(observer));
    const Answer elsewhere = run_with_home_in_passwd(caller, caller.outside(), {});
    EXPECT_EQ(elsewhere.exit_code, 0) << elsewhere.err;
    EXPECT_TRUE(std::filesystem::remove(observer));
  }
}

TEST(Workspace, IsNotTheHomeOfAnotherUserByAccident) {
  Caller caller;
  caller.set_variable("HOME", "/absent");
  const std::string homes = caller.workspace() + "/homes/you";
  std::filesystem::create_directories(homes);
  const auto run = [&](const std::string& home, const std::string& shell, const Words& options) {
    return run_with_passwd(
        caller, "root:x:0:0::/absent:/bin/sh\nyou:x:1001:1001::" + home + ":" + shell + "\n",
        options);
  };
  for (const std::string& home : {caller.workspace(), homes}) {
    const Answer refused = run(home, "/bin/bash", {});
    EXPECT_EQ(refused.exit_code, 125) << home;
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr("the home of another user"), HasSubstr("--workspace .")))
        << home;
    EXPECT_EQ(run(home, "/bin/bash", {"--workspace", "."}).exit_code, 0) << "on purpose";
    EXPECT_EQ(run(home, "/usr/sbin/nologin", {}).exit_code, 0) << "no person's";
  }
  EXPECT_EQ(run(caller.outside(), "/bin/bash", {}).exit_code, 0);
}

// Without the list of homes no directory is known to be a safe default.
TEST(Workspace, IsNotTakenByAccidentIfTheHomesCannotBeRead) {
  Caller caller;
  caller.set_variable("HOME", "/absent");
  const std::string entry = "root:x:0:0::/absent:/bin/sh\n";
  std::string too_long = entry;
  while (too_long.size() <= (16U << 20U)) too_long += "# " + std::string(1024, 'x') + "\n";
  const Answer refused = run_with_passwd(caller, too_long, {});
  EXPECT_EQ(refused.exit_code, 125);
  EXPECT_THAT(refused.err, HasSubstr("'/etc/passwd' is longer than"));
  EXPECT_EQ(run_with_passwd(caller, too_long, {"--workspace", "."}).exit_code, 0) << "on purpose";
  EXPECT_EQ(run_with_passwd(caller, entry, {}).exit_code, 0);
}

Answer call_in(const Caller& caller, const std::string& directory, const Words& words) {
  const Words shell = {"sh", "-c", "cd \"$0\" && exec \"$@\"", directory, named_by("BAWN_BINARY")};
  return caller.start_program("/bin/sh", joined(shell, words)).finish();
}

// /tmp holds the sockets of tmux, X11 and agents, to which the command could connect.
TEST(Workspace, IsNoDirectoryThatAllUsersShareByAccident) {
  const Caller caller;
  const std::string shared = caller.outside() + "/shared";
  std::filesystem::create_directory(shared);
  const Words command = {"--", guest(), "exit", "0"};
  ASSERT_EQ(chmod(shared.c_str(), 01777), 0);
  const Answer refused = call_in(caller, shared, joined({"run"}, command));
  EXPECT_EQ(refused.exit_code, 125);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("all users share"), HasSubstr("--workspace .")));
  for (const std::string name : {"check", "explain"}) {
    const Answer agrees = call_in(caller, shared, joined({name}, command));
    EXPECT_EQ(agrees.exit_code, 125) << name;
    EXPECT_THAT(agrees.out, HasSubstr("failed: workspace.shared: ")) << name;
  }
  EXPECT_EQ(call_in(caller, shared, joined({"run", "--workspace", "."}, command)).exit_code, 0)
      << "on purpose";
  ASSERT_EQ(chmod(shared.c_str(), 0755), 0);
  EXPECT_EQ(call_in(caller, shared, joined({"run"}, command)).exit_code, 0);
}

TEST(Workspace, IsNoPlaceOfTheSystemByAccident) {
  Caller caller;
  caller.set_variable("HOME", caller.outside());
  const Words command = {"--", guest(), "exit", "0"};
  for (const std::string place :
       {"/tmp",      "/var/tmp",   "/dev/shm",     "/usr",     "/usr/bin",      "/etc",
        "/var",      "/run",       "/opt",         "/proc",    "/proc/self",    "/sys",
        "/dev",      "/home",      "/srv",         "/mnt",     "/var/log",      "/var/spool",
        "/var/mail", "/var/cache", "/var/backups", "/var/lib", "/var/lib/dpkg", "/boot"}) {
    if (access(place.c_str(), X_OK) != 0) continue;
    for (const std::string tier : {"b", "c"}) {
      const Answer refused = call_in(caller, place, joined({"run", "--tier", tier}, command));
      EXPECT_EQ(refused.exit_code, 125) << place;
      EXPECT_THAT(refused.err, HasSubstr("the current directory")) << place;
      for (const std::string name : {"check", "explain"})
        EXPECT_EQ(call_in(caller, place, joined({name, "--tier", tier}, command)).exit_code, 125)
            << place;
    }
  }
  EXPECT_EQ(caller.call(joined({"run"}, command)).exit_code, 0) << "below such a place";
}

// In "/" the hint was once '--workspace .', which is denied there.
TEST(Workspace, ThatIsTheRootIsNotAdvised) {
  Caller caller;
  caller.set_variable("HOME", caller.workspace());
  const Answer answer =
      caller
          .start_program("/bin/sh",
                         {"sh", "-c", "cd / && exec \"$0\" run -- true", named_by("BAWN_BINARY")})
          .finish();
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("your home"), testing::Not(HasSubstr("--workspace ."))));
}

TEST(Variable, BawnModeNamesThePresetUnlessAFlagDoes) {
  Caller caller;
  caller.set_variable("BAWN_MODE", "agent");
  const Words command = {"--json", "--", guest(), "exit", "0"};
  EXPECT_EQ(caller.call(joined({"run"}, command)).exit_code, 126);
  const Answer flag = caller.call(joined({"run", "--mode", "basic"}, command));
  EXPECT_EQ(flag.exit_code, 0) << flag.out;
  caller.set_variable("BAWN_MODE", "basic");
  EXPECT_EQ(caller.call(joined({"run"}, command)).exit_code, 0);
}

TEST(Variable, BawnModeThatIsUnknownIsAnErrorAndNeverADefault) {
  Caller caller;
  for (const char* bad : {"bascic", "", "BASIC"}) {
    caller.set_variable("BAWN_MODE", bad);
    const Answer answer = caller.call({"run", "--tier", "b", "--", guest(), "create", "observer"});
    EXPECT_EQ(answer.exit_code, 125);
    EXPECT_THAT(answer.err, AllOf(HasSubstr("BAWN_MODE"), HasSubstr("network-isolated")));
  }
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/observer"));
}

TEST(Variable, BawnPolicyNamesTheFileUnlessAFlagDoes) {
  Caller caller;
  const Words command = {"--", guest(), "exit", "0"};
  caller.set_variable("BAWN_POLICY", caller.file_outside("p.json", R"({"extends": "basic"})"));
  const Answer file = caller.call(joined({"run"}, command));
  EXPECT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(caller.call(joined({"run", "--mode", "agent"}, command)).exit_code, 126);

  caller.set_variable("BAWN_POLICY", "/no/such/policy");
  const Answer missing = caller.call(joined({"run"}, command));
  EXPECT_EQ(missing.exit_code, 125);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("BAWN_POLICY"), HasSubstr("'/no/such/policy'")));
}

TEST(Variable, BawnPolicyTakesThePresetsNameToo) {
  Caller caller;
  const Words command = {"--", guest(), "exit", "0"};
  caller.set_variable("BAWN_POLICY", "agent");
  EXPECT_EQ(caller.call(joined({"run"}, command)).exit_code, 126);
  caller.set_variable("BAWN_POLICY", "basic");
  EXPECT_EQ(caller.call(joined({"run"}, command)).exit_code, 0);
}

TEST(Variable, BawnPolicyAndBawnModeExcludeEachOther) {
  Caller caller;
  caller.set_variable("BAWN_MODE", "basic");
  caller.set_variable("BAWN_POLICY", caller.file_outside("p.json", R"({"extends": "basic"})"));
  const Answer both = caller.call({"run", "--", guest(), "exit", "0"});
  EXPECT_EQ(both.exit_code, 125);
  EXPECT_THAT(both.err, AllOf(HasSubstr("BAWN_MODE"), HasSubstr("BAWN_POLICY")));
  EXPECT_EQ(caller.call({"run", "--mode", "basic", "--", guest(), "exit", "0"}).exit_code, 0)
      << "a flag settles it";
}

TEST(Variable, BawnTimeoutIsTheWallTimeUnlessAFlagIs) {
  Caller caller;
  caller.set_variable("BAWN_TIMEOUT", "300ms");
  EXPECT_EQ(caller.run({"ignore-and-sleep"}).exit_code, 124);
  const Words flag = {"run",    "--tier", "b",     "--timeout", "10m",
                      "--json", "--",     guest(), "exit",      "0"};
  EXPECT_EQ(caller.call(flag).exit_code, 0);

  caller.set_variable("BAWN_TIMEOUT", "soon");
  const Answer bad = caller.run({"exit", "0"});
  EXPECT_EQ(bad.exit_code, 125);
  EXPECT_THAT(bad.err, HasSubstr("BAWN_TIMEOUT"));
}

TEST(Variable, OfTheCallerReachesTheCommandOnlyIfPassed) {
  Caller caller;
  caller.set_variable("MY_SECRET", "sesame");
  const Words list = {"--", guest(), "list-environment"};
  EXPECT_THAT(caller.call(joined({"run", "--tier", "b"}, list)).out,
              testing::Not(HasSubstr("sesame")));
  const Answer passed =
      caller.call(joined({"run", "--tier", "b", "--pass-env", "MY_SECRET"}, list));
  EXPECT_THAT(passed.out, HasSubstr("MY_SECRET=sesame\n")) << passed.err;
}

TEST(Variable, OfBawnItselfIsRefused) {
  const Caller caller;
  for (const Words& flag :
       {Words{"--env", "PATH=/opt/bin"}, {"--env", "BAWN=2"}, {"--pass-env", "PATH"}}) {
    const Answer answer = caller.call(joined(joined({"run"}, flag), {"--", guest(), "exit", "0"}));
    EXPECT_EQ(answer.exit_code, 125) << flag.back();
    EXPECT_THAT(answer.err, HasSubstr(flag.front() + ": '")) << flag.back();
  }
}

}  // namespace
}  // namespace bawn
