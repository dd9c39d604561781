// The exit code of `bawn run`, which is all that a script sees.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>

#include "caller.h"

namespace bawn {
namespace {

using testing::HasSubstr;

TEST(ExitCode, IsTheCommandsOwn) {
  const Caller caller;
  for (const int code : {0, 1, 3, 124, 125, 126, 127, 255}) {
    const Answer answer = caller.run({"exit", std::to_string(code)});
    EXPECT_EQ(answer.exit_code, code) << answer.err;
    EXPECT_EQ(answer.err, "") << "an exit code is the command's affair";
  }
}

TEST(ExitCode, Is128AndTheSignalThatEndedTheCommand) {
  const Caller caller;
  for (const int number : {SIGHUP, SIGSEGV, SIGKILL, SIGTERM, SIGPIPE}) {
    EXPECT_EQ(caller.run({"raise", std::to_string(number)}).exit_code, 128 + number);
  }
}

TEST(ExitCode, Is124AtTheWallTimeLimit) {
  const Caller caller;
  const Answer late =
      caller.call({"run", "--tier", "b", "--timeout", "300ms", "--", guest(), "ignore-and-sleep"});
  EXPECT_EQ(late.exit_code, 124);
  EXPECT_THAT(late.err, HasSubstr("wall-time limit of 300 ms"));
  EXPECT_EQ(
      caller.call({"run", "--tier", "b", "--timeout", "10m", "--", guest(), "exit", "0"}).exit_code,
      0);
}

TEST(ExitCode, Is137AtAnyOtherLimit) {
  const Caller caller;
  const Answer cut = caller.call({"run", "--tier", "b", "--cpu", "200ms", "--", guest(), "spin"});
  EXPECT_EQ(cut.exit_code, 137);
  EXPECT_THAT(cut.err, HasSubstr("CPU-time limit of 200 ms"));
}

TEST(ExitCode, Is126WhenDenied) {
  const Caller caller;
  const Words agent = {"run", "--mode", "agent"};
  const Words create = {"--", guest(), "create", "observer"};
  const Answer denied = caller.call(joined(agent, create));
  EXPECT_EQ(denied.exit_code, 126);
  EXPECT_THAT(denied.err, HasSubstr("bawn: denied: "));
  EXPECT_THAT(denied.err, HasSubstr("hint: "));
  EXPECT_NE(access((caller.workspace() + "/observer").c_str(), F_OK), 0);

  const Answer allowed = caller.call(joined(joined(agent, {"--allow-exec", guest()}), create));
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_EQ(access((caller.workspace() + "/observer").c_str(), F_OK), 0);
}

TEST(ExitCode, Is126WhenTheFileIsNotExecutable) {
  const Caller caller;
  const std::string script = caller.file("script", "#!/bin/sh\nexit 7\n");
  const Answer refused = caller.call({"run", "--tier", "b", "--", "./script"});
  EXPECT_EQ(refused.exit_code, 126);
  EXPECT_THAT(refused.err, HasSubstr("script"));
  chmod(script.c_str(), 0755);
  const Answer ran = caller.call({"run", "--tier", "b", "--", "./script"});
  EXPECT_EQ(ran.exit_code, 7) << ran.err;
}

TEST(ExitCode, Is126WhenTheKernelCannotExecuteTheFile) {
  const Caller caller;
  chmod(caller.file("noise", "\x01\x02\x03").c_str(), 0755);
  const Answer refused = caller.call({"run", "--tier", "b", "--", "./noise"});
  EXPECT_EQ(refused.exit_code, 126);
  EXPECT_THAT(refused.err, HasSubstr("noise"));
  chmod(caller.file("script", "echo hello\n").c_str(), 0755);
  const Answer script = caller.call({"run", "--tier", "b", "--", "./script"});
  EXPECT_EQ(script.exit_code, 126);
  EXPECT_THAT(script.err, HasSubstr("begin it with #!/bin/sh"));
}

// 127 means that no such program exists. That is not known of these paths.
TEST(ExitCode, Is126WhenThePathIsADirectoryOrCannotBeLookedAt) {
  const Caller caller;
  std::filesystem::create_symlink("loop", caller.workspace() + "/loop");
  const auto answer = [&](const char* path) {
    return caller.call({"run", "--tier", "b", "--", path});
  };
  for (const char* path : {"./loop", "/", "../", "/usr/"})
    EXPECT_EQ(answer(path).exit_code, 126) << path;
  EXPECT_THAT(answer("/").err, HasSubstr("bawn: cannot execute: '/': it is a directory"));
  EXPECT_THAT(answer("./loop").err, HasSubstr("'./loop' cannot be looked up"));
}

TEST(ExitCode, Is127WhenThereIsNoSuchProgram) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--tier", "b", "--", "no-such-program-anywhere"});
  EXPECT_EQ(answer.exit_code, 127);
  EXPECT_THAT(answer.err, HasSubstr("'no-such-program-anywhere'"));
  EXPECT_EQ(caller.call({"run", "--tier", "b", "--", "./no-such-file"}).exit_code, 127);
}

struct Refused {
  int exit_code = -1;
  std::string said;
};

// Runs bawn in a user namespace that allows 0 namespaces of one kind. The limit also holds for the
// namespaces that bawn makes inside.
Refused without(const std::string& kind, const std::string& words) {
  const std::string inside = "echo 0 >/proc/sys/user/max_" + kind + "_namespaces && exec \"$@\"";
  const std::string line = "unshare --map-root-user sh -c '" + inside + "' sh " +
                           named_by("BAWN_BINARY") + " " + words + " 2>&1";
  Refused refused;
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return refused;
  for (int next = fgetc(pipe); next != EOF; next = fgetc(pipe))
    refused.said += static_cast<char>(next);
  refused.exit_code = WEXITSTATUS(pclose(pipe));
  return refused;
}

// The host refuses one kind of namespace. Nothing runs, unless the policy accepts tier b.
TEST(ExitCode, Is125WithoutANamespaceThatThePolicyRequires) {
  const Caller caller;
  const std::string there = " --workspace " + caller.workspace();
  const std::string command = there + " -- " + guest() + " print ran";
  for (const std::string kind : {"user", "net", "mnt", "ipc"}) {
    const Refused refused = without(kind, "run" + command);
    EXPECT_EQ(refused.exit_code, 125) << kind << refused.said;
    EXPECT_THAT(refused.said, testing::AllOf(HasSubstr("ENOSPC"), HasSubstr("bawn doctor"),
                                             testing::Not(HasSubstr("ran\n"))));
    EXPECT_EQ(without(kind, "run --mode basic" + command).said, "ran\n") << "which accepts tier b";
  }
  EXPECT_EQ(without("time", "run" + command).said, "ran\n") << "of which it makes none";
}

// A script must be able to tell an exit code 1 of the command from a failure of bawn.
TEST(ExitCode, OfBawnsOwnFailureIs125AndNever1) {
  const Caller caller;
  const Words lines[] = {
      {},
      {"run"},
      {"run", "--"},
      {"run", "--tier"},
      {"run", "--no-such-option", "--", "true"},
      {"run", "--mode", "no-such-mode", "--", "true"},
      {"run", "--policy", "/no/such/policy", "--", "true"},
      {"run", "--policy", "/", "--", "true"},
      {"run", "--mode", "basic", "--policy", "x", "--", "true"},
      {"run", "--json=yes", "--", "true"},
      {"run", "--mode", "basic", "--mode", "basic", "--", "true"},
      {"run", "--log-level", "loud", "--mode", "basic", "--", "true"},
      {"exec", "true"},
      {"check"},
      {"check", "--mode", "basic", "--request", "-", "--", "true"},
      {"policy", "burn"},
      {"policy", "show"},
      {"policy", "show", "/no/such/policy"},
      {"no-such-subcommand"},
      {"--no-such-option"},
  };
  for (const Words& words : lines) {
    const Answer answer = caller.call(words);
    EXPECT_EQ(answer.exit_code, 125) << testing::PrintToString(words);
    EXPECT_THAT(answer.err, testing::StartsWith("bawn: ")) << testing::PrintToString(words);
    EXPECT_EQ(answer.out, "") << testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace bawn
