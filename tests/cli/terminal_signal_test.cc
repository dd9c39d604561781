// Signals to bawn while its command has a pseudo-terminal: bawn passes SIGINT and SIGQUIT on, and
// the command decides what they do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "caller.h"
#include "shell_terminal.h"

namespace bawn {
namespace {

struct Passed {
  int number;
  std::string name;  // as in the shell's `trap`
};

// The pid of the bawn whose command carries the mark.
pid_t bawn_with(const std::string& mark) {
  const std::string program = named_by("BAWN_BINARY");
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string words{std::istreambuf_iterator<char>(file), {}};
    if (words.starts_with(program) && words.find(mark) != std::string::npos)
      return std::stoi(entry.path().filename());
  }
  return -1;
}

class TerminalSignal : public testing::TestWithParam<Passed> {
 protected:
  void run(const std::string& script) {
    shell.type_line("\"$BAWN\" run -- sh -c '" + script + "' " + mark + "; echo \"code=$?.\"");
    shell.wait_for("ready");
  }

  const std::string mark = marker();
  const Caller caller;
  ShellTerminal shell{caller};
};

TEST_P(TerminalSignal, IsTheCommandsToHandle) {
  run("trap \"echo caught; exit 7\" " + GetParam().name +
      "; echo ready; while :; do sleep 1000 & wait; done");
  const pid_t bawn = bawn_with(mark);
  ASSERT_GT(bawn, 1);
  kill(bawn, GetParam().number);
  shell.wait_for("caught");
  shell.wait_for("code=7.");
}

TEST_P(TerminalSignal, EndsACommandThatDoesNotHandleIt) {
  run("echo ready; exec sleep 1000");
  const pid_t bawn = bawn_with(mark);
  ASSERT_GT(bawn, 1);
  kill(bawn, GetParam().number);
  shell.wait_for("code=" + std::to_string(128 + GetParam().number) + ".");
}

// The key is typed at the caller's terminal.
TEST_P(TerminalSignal, IsRaisedByItsKey) {
  constexpr std::string_view kCtrlBackslash = "\x1c";
  run("trap \"echo caught; exit 7\" " + GetParam().name +
      "; echo ready; while :; do sleep 1000 & wait; done");
  shell.type(GetParam().number == SIGQUIT ? kCtrlBackslash : kCtrlC);
  shell.wait_for("caught");
  shell.wait_for("code=7.");
}

INSTANTIATE_TEST_SUITE_P(Passed, TerminalSignal,
                         testing::Values(Passed{SIGINT, "INT"}, Passed{SIGQUIT, "QUIT"}),
                         [](const auto& passed) { return passed.param.name; });

}  // namespace
}  // namespace bawn
