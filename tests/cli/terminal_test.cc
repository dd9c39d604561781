// `bawn run` on a terminal: the command has a pseudo-terminal, and everything a person does at the
// caller's terminal works as without bawn.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "caller.h"
#include "printed_json.h"
#include "shell_terminal.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Waits until no process has the mark. For processes whose end no event reports.
bool none_left(const std::string& mark) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (processes_with_argument(mark) != 0) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

// The pid of the bawn whose command carries the mark.
pid_t bawn_with(const std::string& mark) {
  const std::string program = named_by("BAWN_BINARY");
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string words = content_of(entry.path() / "cmdline");
    if (words.starts_with(program) && words.find(mark) != std::string::npos)
      return std::stoi(entry.path().filename());
  }
  throw std::runtime_error("no bawn with the mark " + mark);
}

class TerminalTest : public testing::Test {
 protected:
  // Types a run of `sh -c SCRIPT`, followed by its exit code.
  void run(const std::string& script, const std::string& options = "") {
    shell.type_line("\"$BAWN\" run " + options + " -- sh -c '" + script + "'; echo \"code=$?.\"");
  }

  // Fails unless the shell reads the next line.
  void expect_shell() {
    shell.type_line("echo shell-$((1000+1))");
    shell.wait_for("shell-1001\r\n");
  }

  Caller caller;
  ShellTerminal shell{caller};
};

TEST_F(TerminalTest, OfTheCommandIsOneOfItsOwn) {
  run("tty; test -t 0 && test -t 1 && test -t 2 && echo all; echo through >/dev/tty");
  EXPECT_EQ(shell.read_until("code=0."), "/dev/pts/0\r\nall\r\nthrough\r\n");
}

// Tier b once refused /dev/tty, which is the terminal of the command's session and not the
// caller's.
TEST_F(TerminalTest, HasTheSameNameInBothTiersAndIsNeverTheCallers) {
  const std::string script = "sh -c 'echo through >/dev/tty' </dev/null >/dev/null 2>&1";
  shell.type_line(script + "; echo \"code=$?.\"");
  EXPECT_THAT(shell.read_until("code=0."), HasSubstr("through"))
      << "the control: without bawn it is there";
  for (const std::string tier : {"b", "c"}) {
    run("echo through >/dev/tty", "--tier " + tier);
    EXPECT_THAT(shell.read_until("code=0."), HasSubstr("through")) << tier;
    shell.type_line("\"$BAWN\" run --tier " + tier + " -- " + script + "; echo \"code=$?.\"");
    EXPECT_THAT(shell.read_until("code=2."), Not(HasSubstr("through")))
        << "a run without a terminal has none in " << tier;
  }
}

TEST_F(TerminalTest, OfTheCallerIsNotAmongItsFiles) {
  struct stat outer {};
  ASSERT_EQ(stat(shell.name().c_str(), &outer), 0);
  const std::string number =
      "." + std::to_string(outer.st_dev) + ":" + std::to_string(outer.st_ino) + ".";
  const std::string look =
      "for i in 0 1 2; do stat -L -c .%d:%i. /proc/self/fd/$i; done; echo looked";
  shell.type_line(look);
  EXPECT_THAT(shell.read_until("looked"), HasSubstr(number))
      << "the control: without bawn it is there";
  run(look);
  EXPECT_THAT(shell.read_until("code=0."), Not(HasSubstr(number)));
}

TEST_F(TerminalTest, HasTheSizeOfTheCallersAndFollowsIt) {
  run("stty size; trap \"stty size; exit 3\" WINCH; echo ready; while :; do sleep 1000 & wait; "
      "done");
  EXPECT_EQ(shell.read_until("ready"), "30 100\r\n");
  shell.resize(41, 123);
  shell.wait_for("41 123");
  shell.wait_for("code=3.");
}

TEST_F(TerminalTest, EchoesAndEditsLinesAsTheCallersDoes) {
  shell.set_echo();
  run("echo ready; read line; echo \"<$line>\"");
  shell.wait_for("ready\r\n");
  shell.type("helpX\x7flo\n");
  EXPECT_EQ(shell.read_until("code=0."), "helpX\b \blo\r\n<helplo>\r\n");
}

TEST_F(TerminalTest, EndsInputWithCtrlD) {
  run("echo ready; cat; echo end");
  shell.wait_for("ready\r\n");
  shell.type("line\n");
  shell.wait_for("line\r\n");
  shell.type(kCtrlD);
  EXPECT_EQ(shell.read_until("code=0."), "end\r\n");
}

TEST_F(TerminalTest, CtrlCEndsTheCommand) {
  run("echo ready; exec sleep 1000");
  shell.wait_for("ready");
  shell.type(kCtrlC);
  shell.wait_for("code=130.");
}

TEST_F(TerminalTest, CtrlCIsTheCommandsToHandle) {
  run("trap \"echo caught; exit 7\" INT; echo ready; while :; do sleep 1000 & wait; done");
  shell.wait_for("ready");
  shell.type(kCtrlC);
  shell.wait_for("caught");
  shell.wait_for("code=7.");
}

TEST_F(TerminalTest, CtrlZStopsBawnAndTheShellContinuesIt) {
  const termios before = shell.modes();
  run("echo ready; read line; echo \"got $line\"");
  shell.wait_for("ready");
  shell.type(kCtrlZ);
  shell.wait_for("Stopped");
  shell.wait_for("code=148.");
  expect_shell();
  shell.resize(22, 88);
  shell.type_line("fg; echo \"code=$?.\"");
  shell.wait_for("read line");  // the shell prints the job's command line
  shell.type_line("this");
  shell.wait_for("got this");
  shell.wait_for("code=0.");
  expect_shell();
  EXPECT_TRUE(same_modes(shell.modes(), before));
}

TEST_F(TerminalTest, ACommandThatIsContinuedHasTheNewSize) {
  run("echo ready; read line; stty size");
  shell.wait_for("ready");
  shell.type(kCtrlZ);
  shell.wait_for("Stopped");
  shell.resize(22, 88);
  shell.type_line("fg");
  shell.wait_for("stty size");
  shell.type_line("");
  shell.wait_for("22 88");
}

// bash restores the modes of its terminal when a job stops. This shell does not, so bawn must.
TEST_F(TerminalTest, ThatIsGivenBackByAStoppedCommandHasItsModes) {
  shell.type_line(
      "stty >before; sh -mc '\"$BAWN\" run -- sh -c \"stty -echo raw; kill -TSTP 0\"; stty "
      ">stopped; fg; stty >ended'; echo \"done.\"");
  shell.wait_for("done.");
  const std::string before = content_of(caller.workspace() + "/before");
  EXPECT_NE(before, "");
  EXPECT_EQ(content_of(caller.workspace() + "/stopped"), before);
  EXPECT_EQ(content_of(caller.workspace() + "/ended"), before);
}

TEST_F(TerminalTest, WhatItPrintsBeforeItStopsComesBeforeTheShell) {
  run("i=0; while [ $i -lt 3000 ]; do echo \"line $i\"; i=$((i+1)); done; kill -TSTP 0; echo on");
  EXPECT_THAT(shell.read_until("Stopped"), HasSubstr("line 2999\r\n"));
  shell.type_line("fg");
  shell.wait_for("on\r\n");
}

TEST_F(TerminalTest, InTheBackgroundItRunsUntilItReads) {
  shell.type_line("\"$BAWN\" run -- sh -c 'echo working; read line; echo \"got $line\"' &");
  shell.wait_for("working");
  // The shell notices a change of a job only when it reads the next line.
  shell.type_line("while ! jobs | grep -q Stopped; do :; done; echo it-has-stopped");
  shell.wait_for("it-has-stopped\r\n");
  shell.type_line("fg; echo \"code=$?.\"");
  shell.wait_for("read line");
  shell.type_line("input");
  shell.wait_for("got input");
  shell.wait_for("code=0.");
  expect_shell();
}

TEST_F(TerminalTest, ContinuedInTheBackgroundItRunsOnWithoutTheTerminal) {
  // `exec`, because a child between vfork and exec would lose the signal, with and without bawn.
  run("echo ready; exec sleep 1000");
  shell.wait_for("ready");
  shell.type(kCtrlZ);
  shell.wait_for("Stopped");
  shell.type_line("bg; echo in-background");
  shell.wait_for("in-background");
  expect_shell();
  shell.type_line("jobs; echo listed");
  EXPECT_THAT(shell.read_until("listed"), HasSubstr("Running"));
  shell.type_line("kill %1; wait; echo \"ended\"");
  shell.wait_for("ended");
}

// The test types a key that raises a signal only after the job has printed something: `fg` prints
// the job's name before it gives the job the terminal.
TEST_F(TerminalTest, AShellInsideHasJobControlOfItsOwn) {
  shell.type_line("\"$BAWN\" run -- bash --norc --noprofile --noediting -i; echo \"code=$?.\"");
  shell.type_line("PS1=; echo inner-$BAWN");
  shell.wait_for("inner-1\r\n");
  shell.type_line("sleep 1000 & jobs; echo listed");
  EXPECT_THAT(shell.read_until("listed\r\n"), HasSubstr("Running"));
  shell.type_line("kill %1; wait; sh -c 'echo up; read x; echo \"got-$x\"'");
  shell.wait_for("up\r\n");
  shell.type(kCtrlZ);
  shell.wait_for("Stopped");
  shell.type_line("echo still-inner-$BAWN; jobs; echo listed");
  shell.wait_for("still-inner-1\r\n");  // the outer shell would print a path here
  EXPECT_THAT(shell.read_until("listed\r\n"), HasSubstr("Stopped"));
  shell.type_line("bg; while ! jobs | grep -q Stopped; do :; done; echo reads-in-background");
  shell.wait_for("reads-in-background\r\n");
  shell.type_line("fg");
  shell.type_line("line");
  shell.wait_for("got-line\r\n");
  shell.type_line("sh -c 'echo up; exec sleep 1000'");
  shell.wait_for("up\r\n");
  shell.type(kCtrlC);
  shell.type_line("echo after-interrupt=$?");
  shell.wait_for("after-interrupt=130");
  shell.type_line("exit 5");
  shell.wait_for("code=5.");
  expect_shell();
}

// A command that is pid 1 leads the session of its terminal. No key that raises a signal ends or
// stops it: the kernel gives pid 1 no signal that it does not handle.
TEST_F(TerminalTest, OfProcess1IsItsOwnAndItsChildrenGetTheSignals) {
  run("trap \"echo caught\" INT; tty; ps -o pid=,sid=,tpgid= -p 1; (trap - INT; echo up; exec "
      "sleep 1000); echo child=$?",
      "--as-pid-1");
  EXPECT_EQ(shell.read_until("up\r\n"), "/dev/pts/0\r\n      1       1       1\r\n");
  shell.type(kCtrlC);
  shell.wait_for("child=130");
  shell.wait_for("code=0.");
  expect_shell();
}

TEST_F(TerminalTest, OfProcess1HasKeysThatDoNotEndIt) {
  run("exec cat", "--as-pid-1");
  shell.type_line("ready");
  shell.wait_for("ready\r\n");  // from cat, which has no signal handlers; a shell has
  shell.type(kCtrlZ);
  shell.type(kCtrlC);
  shell.type_line("this");
  shell.wait_for("this\r\n");
  shell.type(kCtrlD);
  shell.wait_for("code=0.");
}

TEST_F(TerminalTest, OfProcess1GivesAShellJobControl) {
  shell.type_line(
      "\"$BAWN\" run --as-pid-1 -- bash --norc --noprofile --noediting -i; echo \"code=$?.\"");
  shell.type_line("PS1=; echo inner-$$");
  shell.wait_for("inner-1\r\n");
  shell.type_line("sh -c 'echo up; read x; echo \"got-$x\"'");
  shell.wait_for("up\r\n");
  shell.type(kCtrlZ);
  shell.wait_for("Stopped");
  shell.type_line("fg");
  shell.type_line("line");
  shell.wait_for("got-line\r\n");
  shell.type_line("exit 5");
  shell.wait_for("code=5.");
  expect_shell();
}

// bawn is stopped together with its command, and bawn has the timers. The command's children could
// then go on for ever.
TEST_F(TerminalTest, ACommandThatStopsItselfIsEndedAtItsTimeAllTheSame) {
  const std::string mark = marker();
  // No single child uses enough CPU time to meet its rlimit. The mark is put together inside the
  // script, because otherwise bawn's own arguments would contain it, and bawn only stops.
  const std::string child = "m=" + mark.substr(0, 8) +
                            "; sh -c \"while :; do timeout 0.2 yes >/dev/null; done\" ${m}" +
                            mark.substr(8) + " & ";
  for (const std::string limit : {"--timeout 1s", "--cpu 1s"}) {
    run(child + "kill -STOP $$; echo continued", limit);
    shell.wait_for("Stopped");
    shell.wait_for("code=148.");
    expect_shell();
    while (processes_with_argument(mark) == 0) std::this_thread::yield();
    EXPECT_TRUE(none_left(mark)) << limit;
    shell.type_line("fg; echo \"code=$?.\"");
    shell.wait_for(limit == "--cpu 1s" ? "CPU-time limit" : "wall-time limit");
    shell.wait_for(limit == "--cpu 1s" ? "code=137." : "code=124.");
  }
}

// Each stop was once a report that bawn followed. The reports filled the socket, and the report
// that the command had ended found no room.
TEST_F(TerminalTest, ACommandThatIsStoppedAgainAndAgainEndsAsAnyOther) {
  const std::string mark = marker();
  run("(for i in $(seq 1000); do kill -STOP $$; sleep 0; kill -CONT $$; done; touch flapped) & "
      "echo ready; wait; exit 5; : " +
      mark);
  shell.wait_for("ready");
  kill(bawn_with(mark), SIGSTOP);
  shell.wait_for("Stopped");
  shell.wait_for("code=");
  shell.type_line("until [ -e flapped ]; do :; done");
  std::string code = "148";
  int continued = 0;
  for (; code == "148"; ++continued) {
    shell.type_line("fg; echo \"again=$?.\"");
    shell.wait_for("again=");
    code = shell.read_until(".");
  }
  EXPECT_EQ(code, "5");
  EXPECT_LE(continued, 3) << "bawn follows no stop that is long over";
}

// pid 1 cannot be stopped by SIGTTIN, and the kernel would let it retry the read for ever. It waits
// instead, and bawn stops without it.
TEST_F(TerminalTest, OfProcess1WaitsInTheBackgroundForKeys) {
  const std::string mark = marker();
  shell.type_line(
      "\"$BAWN\" run --as-pid-1 -- sh -c 'echo working; read line; echo \"got $line\"' " + mark +
      " &");
  shell.wait_for("working");
  shell.type_line("jobs; echo listed");
  EXPECT_THAT(shell.read_until("listed"), HasSubstr("Running"));
  kill(bawn_with(mark), SIGTSTP);
  shell.type_line("while ! jobs | grep -q Stopped; do :; done; echo it-has-stopped");
  shell.wait_for("it-has-stopped\r\n");
  shell.type_line("fg; echo \"code=$?.\"");
  shell.wait_for("read line");
  shell.type_line("input");
  shell.wait_for("got input");
  shell.wait_for("code=0.");
  expect_shell();
}

TEST_F(TerminalTest, OfProcess1HasTheKeysInAPipelineToo) {
  shell.type_line(
      "\"$BAWN\" run --as-pid-1 -- sh -c 'echo ready >&2; read x; echo \"got $x\"' | cat; echo "
      "\"done.\"");
  shell.wait_for("ready");
  shell.type_line("typed");
  shell.wait_for("got typed");
  shell.wait_for("done.");
}

TEST_F(TerminalTest, HasItsModesBackHoweverTheRunEnds) {
  const termios before = shell.modes();
  const auto expect_modes = [&](const char* when) {
    expect_shell();
    EXPECT_TRUE(same_modes(shell.modes(), before)) << when;
  };
  run("stty raw -echo; exit 0");
  shell.wait_for("code=0.");
  expect_modes("the command left its own raw");
  run("kill -KILL $$");
  shell.wait_for("code=137.");
  expect_modes("the command was killed");
  run("echo ready; sleep 1000", "--timeout 1s");
  shell.wait_for("code=124.");
  expect_modes("its time was over");
  for (const int number : {SIGTERM, SIGHUP}) {
    const std::string mark = marker() + std::to_string(number);
    shell.type_line("\"$BAWN\" run -- sh -c 'echo ready; sleep 1000; : " + mark +
                    "'; echo \"code=$?.\"");
    shell.wait_for("ready\r\n");
    EXPECT_FALSE(same_modes(shell.modes(), before)) << "the control: raw while it runs";
    kill(bawn_with(mark), number);
    shell.wait_for("code=" + std::to_string(128 + number) + ".");
    expect_modes("bawn was ended by a signal");
    EXPECT_TRUE(none_left(mark));
  }
}

TEST_F(TerminalTest, CarriesTenMebibytesCompletely) {
  run("stty -opost; head -c 10485760 /dev/zero | tr \"\\000\" x; printf END");
  const std::string printed = shell.read_until("END");
  EXPECT_EQ(printed.size(), 10485760U);
  EXPECT_EQ(std::count(printed.begin(), printed.end(), 'x'), 10485760);
  shell.wait_for("code=0.");
}

TEST_F(TerminalTest, TakesLongInputWithoutLosingAny) {
  run("stty raw; echo ready; head -c 300000 | tr -d x | wc -c; stty sane");
  shell.wait_for("ready");
  const std::string block(1000, 'y');
  for (int i = 0; i < 300; ++i) shell.type(block);
  shell.wait_for("300000");
  shell.wait_for("code=0.");
}

TEST_F(TerminalTest, CountsAgainstTheOutputLimit) {
  run("yes", "--output 100000");
  EXPECT_LT(shell.read_until("output limit of 100000 bytes").size(), 110000U);
  shell.wait_for("code=137.");
  expect_shell();
}

TEST_F(TerminalTest, NothingIsTypedIntoTheCallersByTheCommand) {
  shell.type_line("\"$GUEST\" inject-terminal-input; echo \"; said.\"");
  shell.wait_for("said.");
  // The control: without bawn, the shell reads the injected text as the beginning of its next line.
  const bool kernel_lets =
      content_of("/proc/sys/dev/tty/legacy_tiocsti") != "0\n" || geteuid() == 0;
  if (kernel_lets) {
    shell.type_line("");
    shell.wait_for("x: command not found");
  }
  shell.type_line("\"$BAWN\" run -- \"$GUEST\" inject-terminal-input; echo \"code=$?.\"");
  shell.wait_for("code=");
  shell.type_line("echo clean");
  EXPECT_THAT(shell.read_until("clean"), Not(HasSubstr("x")));
  expect_shell();
}

TEST_F(TerminalTest, InAPipelineOnlyTheFilesThatAreOneBecomePrivate) {
  shell.type_line(
      "\"$BAWN\" run -- sh -c 'test -t 0 && echo in; test -t 1 || echo no-out; test -t 2 && echo "
      "err' | cat; echo \"done.\"");
  EXPECT_EQ(shell.read_until("done."), "in\r\nno-out\r\nerr\r\n");
}

TEST_F(TerminalTest, InAPipelineTheKeysAreTheOthersUntilTheCommandAsks) {
  shell.type_line(
      "\"$BAWN\" run -- sh -c 'echo first; exec sleep 1000' | { read x; read y </dev/tty; echo "
      "\"mine: $x $y\"; }; echo \"done.\"");
  shell.type_line("keys");
  shell.wait_for("mine: first keys");
  shell.type(kCtrlC);  // the caller's terminal sends SIGINT to the whole pipeline
  expect_shell();
}

TEST_F(TerminalTest, InAPipelineTheCommandGetsTheKeysWhenItAsks) {
  const termios before = shell.modes();
  shell.type_line(
      "echo data | \"$BAWN\" run -- sh -c 'read x; echo ready; read y </dev/tty; echo \"$x $y\"'; "
      "echo \"done.\"");
  shell.wait_for("ready");
  shell.type_line("typed");
  shell.wait_for("data typed");
  shell.wait_for("done.");
  EXPECT_TRUE(same_modes(shell.modes(), before));
}

TEST_F(TerminalTest, ThatIsOnlyStdinStillEchoes) {
  shell.set_echo();
  shell.type_line(
      "\"$BAWN\" run -- sh -c 'echo ready >&2; read x; echo \"$x\"' >out; echo \"done\".");
  shell.wait_for("ready\r\n");
  shell.type("typed\n");
  EXPECT_EQ(shell.read_until("done."), "typed\r\n");
  EXPECT_EQ(content_of(caller.workspace() + "/out"), "typed\n");
}

TEST_F(TerminalTest, ThatGoesAwayEndsTheRun) {
  const std::string mark = marker();
  run("trap : HUP; echo ready; while :; do sleep 1000; done; : " + mark);
  shell.wait_for("ready");
  EXPECT_NE(processes_with_argument(mark), 0);
  shell.hang_up();
  EXPECT_TRUE(none_left(mark));
}

TEST_F(TerminalTest, IsNamedInTheReceipt) {
  shell.type_line(
      "\"$BAWN\" run --status-fd 3 -- true 3>own; \"$BAWN\" run --status-fd 3 -- true 3>none "
      "</dev/null 2>&1 | cat; echo \"done.\"");
  shell.wait_for("done.");
  const auto layer = [&](const std::string& name) {
    const auto printed = printed_json(content_of(caller.workspace() + "/" + name));
    for (const auto& each : printed.at("enforcement")) {
      if (each.at("layer") == "terminal")
        return each.at("state").dump() + each.at("evidence").dump();
    }
    return std::string("absent");
  };
  EXPECT_EQ(layer("own"), R"("enforced"{"controlling":true,"devpts":"run","given":"own"})");
  EXPECT_EQ(layer("none"), R"("not_requested"{"given":"none"})");
}

TEST_F(TerminalTest, InTierBIsOneOfTheRunsOwn) {
  shell.type_line(
      "\"$BAWN\" run --tier b --status-fd 3 -- sh -c 'echo ready; exec sleep 1000' 3>b; echo "
      "\"code=$?.\"");
  shell.wait_for("ready");
  shell.type(kCtrlC);
  shell.wait_for("code=130.");
  EXPECT_THAT(content_of(caller.workspace() + "/b"),
              HasSubstr(R"({"given":"own","devpts":"host","controlling":true})"));
}

TEST(Exec, GivesOutputATerminalIfAskedTo) {
  const Caller caller;
  const Words words = {"exec", "--mode", "workspace"};
  const auto said = [&](const std::string& pty) {
    const std::string text =
        R"({"command":"sh","args":["-c","test -t 1 && echo tty; test -t 2 && echo err >&2; )"
        R"(test -t 0 || cat; stty size </dev/tty"],"stdin":"text\n")" +
        pty + "}";
    return at(printed_json(caller.call(words, {.in = text}).out), "/stdout");
  };
  EXPECT_EQ(said(R"(,"pty":true)"), "tty\r\nerr\r\ntext\r\n24 80\r\n");
  EXPECT_EQ(said(""), "text\n") << "the control: no terminal, none that controls";
}

// ---- The rights of the caller's terminal

struct Rights {
  mode_t mode = 0;
  gid_t group = 0;
  friend bool operator==(const Rights&, const Rights&) = default;
};

Rights rights_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return {status.st_mode & 07777U, status.st_gid};
}

class TerminalRights : public TerminalTest {
 protected:
  // Lets every user open the terminal; the command prints the new mode.
  [[nodiscard]] std::string open_to_all() const {
    return "chmod 666 " + shell.name() + " && stat -c is-%a " + shell.name();
  }
  // Removes what an earlier try has changed.
  void reset() const { ASSERT_EQ(chmod(shell.name().c_str(), 0620), 0); }
};

// The control: a command can change the mode, and the comparison sees it.
TEST_F(TerminalRights, ChangeWithoutASandbox) {
  reset();
  run(open_to_all(), "--mode disabled");
  shell.wait_for("is-666");
  shell.wait_for("code=0.");
  EXPECT_EQ(rights_of(shell.name()).mode, 0666U);
}

TEST_F(TerminalRights, AreAsBeforeAfterARunInTierB) {
  reset();
  const Rights before = rights_of(shell.name());
  run(open_to_all(), "--tier b");
  shell.wait_for("is-666");
  EXPECT_THAT(shell.read_until("code=0."),
              AllOf(HasSubstr("during the run the terminal"), HasSubstr("put back")));
  EXPECT_EQ(rights_of(shell.name()), before);
  run("true", "--tier b");
  EXPECT_THAT(shell.read_until("code=0."), Not(HasSubstr("terminal"))) << "nothing was changed";
}

// None of the run's descriptors is a terminal, but the run has a controlling one.
TEST_F(TerminalRights, AreAsBeforeIfNoFileOfTheRunIsATerminal) {
  reset();
  const Rights before = rights_of(shell.name());
  const std::string out = caller.outside() + "/out";
  shell.type_line("\"$BAWN\" run --tier b -- sh -c '" + open_to_all() + "' </dev/null >" + out +
                  " 2>&1; echo \"code=$?.\"");
  shell.wait_for("code=0.");
  EXPECT_THAT(content_of(out), HasSubstr("is-666"));
  EXPECT_EQ(rights_of(shell.name()), before);
}

TEST_F(TerminalRights, AreAsBeforeHoweverTheRunEnds) {
  const std::string mark = marker();
  struct End {
    std::string options;
    std::string script;
    int signal;
    std::string code;
  };
  const End ends[] = {
      {"", "; exit 3", 0, "code=3."},
      {"", "; kill -9 $$", 0, "code=137."},
      {"--timeout 1s", "; sleep 1000", 0, "code=124."},
      {"", "; sleep 1000 # " + mark, SIGTERM, "code=143."},
  };
  for (const End& end : ends) {
    reset();
    const Rights before = rights_of(shell.name());
    run(open_to_all() + end.script, "--tier b " + end.options);
    shell.wait_for("is-666");
    if (end.signal != 0) kill(bawn_with(mark), end.signal);
    shell.wait_for(end.code);
    EXPECT_EQ(rights_of(shell.name()), before) << end.script;
  }
}

TEST_F(TerminalRights, CannotBeReachedInTierC) {
  reset();
  const Rights before = rights_of(shell.name());
  struct stat outer {};
  ASSERT_EQ(stat(shell.name().c_str(), &outer), 0);
  const std::string number =
      "." + std::to_string(outer.st_dev) + ":" + std::to_string(outer.st_ino) + ".";
  const std::string look = "stat -c .%d:%i. /dev/pts/* /dev/tty; echo looked";
  shell.type_line(look);
  EXPECT_THAT(shell.read_until("looked"), HasSubstr(number))
      << "the control: without bawn it is there";
  run("chmod 666 /dev/pts/* /dev/tty; " + look, "--tier c");
  EXPECT_THAT(shell.read_until("looked"), Not(HasSubstr(number)));
  EXPECT_THAT(shell.read_until("code=0."), Not(HasSubstr("during the run the terminal")));
  EXPECT_EQ(rights_of(shell.name()), before);
}

}  // namespace
}  // namespace bawn
