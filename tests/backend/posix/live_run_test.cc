#include "backend/posix/live_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "backend/posix/scratch.h"
#include "sys/pipe.h"

namespace bawn::posix {
namespace {

struct Watched {
  Supervised supervised;
  PumpedStreams output;
};

// The exit code and the signal; -1 and 0 if the command did not end that way.
int exit_code(const Watched& watched) {
  const int status = watched.supervised.wait_status.value_or(-1);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
int signal_of(const Watched& watched) {
  const int status = watched.supervised.wait_status.value_or(0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// Supervises a shell until its end and captures its output.
class Watching {
 public:
  Limits limits{};
  Limit output_bytes{};
  int cancel_fd = -1;
  std::string forerunner{};

  [[nodiscard]] const Scratch& scratch() const { return scratch_; }

  Watched run(const std::string& script) {
    Pump pump = std::move(Pump::create({.stdout_sink = {.kind = SinkKind::capture},
                                        .stderr_sink = {.kind = SinkKind::capture},
                                        .output_bytes = output_bytes}))
                    .value();
    ChildEnds ends = pump.take_child_ends();
    SpawnOrder order{
        .program = "/bin/sh",
        .argv = {"sh", "-c", script},
        .environment = {"PATH=/usr/bin:/bin"},
        .directory = scratch_.path(),
        .stdio = {ends.stdin_read.get(), ends.stdout_write.get(), ends.stderr_write.get()}};
    auto spawned = spawn(order);
    EXPECT_TRUE(spawned);
    ends = {};
    const LiveRun::Parts parts{.pump = &pump, .forerunner = forerunner};
    auto supervised = supervise(std::move(spawned).value(), limits, parts, cancel_fd);
    EXPECT_TRUE(supervised);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was not waited for";
    return {std::move(supervised).value(), pump.finish()};
  }

  [[nodiscard]] pid_t pid_in(std::string_view name) const {
    return static_cast<pid_t>(std::atoi(wait_for_line(scratch_.file(name)).c_str()));
  }

 private:
  Scratch scratch_;
};

TEST(PosixSupervisor, TellsHowTheCommandEnded) {
  Watching watching;
  const Watched ended = watching.run("echo out; echo err >&2; exit 5");
  EXPECT_EQ(ended.supervised.run.ending, Ending::exited);
  EXPECT_TRUE(ended.supervised.run.tree_gone);
  EXPECT_TRUE(ended.supervised.command_ran);
  EXPECT_EQ(exit_code(ended), 5);
  EXPECT_EQ(ended.output.stdout_stream.kept, "out\n");
  EXPECT_EQ(ended.output.stderr_stream.kept, "err\n");
  const Watched killed = watching.run("kill -KILL $$");
  EXPECT_EQ(signal_of(killed), SIGKILL);
}

// Cancels the run once the command has written a line into the file.
class CancelAfter {
 public:
  explicit CancelAfter(std::string path)
      : ends_(std::move(sys::pipe()).value()), waiter_([this, path = std::move(path)] {
          (void)wait_for_line(path);
          ends_.write.reset();
        }) {}
  ~CancelAfter() { waiter_.join(); }
  CancelAfter(const CancelAfter&) = delete;
  CancelAfter& operator=(const CancelAfter&) = delete;

  [[nodiscard]] int fd() const { return ends_.read.get(); }

 private:
  sys::PipeEnds ends_;
  std::thread waiter_;
};

TEST(PosixSupervisor, AsksTheCommandToEndBeforeItKills) {
  Watching watching;
  const CancelAfter cancel(watching.scratch().file("ready"));
  watching.cancel_fd = cancel.fd();
  const Watched asked =
      watching.run("trap 'echo asked; exit 3' TERM; sleep 600 & echo > ready; wait");
  EXPECT_EQ(asked.supervised.run.ending, Ending::cancelled);
  EXPECT_EQ(asked.output.stdout_stream.kept, "asked\n") << "once";
  EXPECT_EQ(exit_code(asked), 3);
}

TEST(PosixSupervisor, KillsAtTheDeadlineWhatDoesNotListen) {
  Watching watching;
  watching.limits.wall_time_ms = 200;
  const Watched deaf = watching.run("trap '' TERM; echo begun; while :; do sleep 0.01; done");
  EXPECT_EQ(deaf.supervised.run.ending, Ending::wall_time);
  EXPECT_TRUE(deaf.supervised.run.tree_gone);
  EXPECT_NE(signal_of(deaf), 0);
}

TEST(PosixSupervisor, EndsWhatTheCommandLeavesBehind) {
  Watching watching;
  const Watched ended = watching.run("sleep 600 & echo $! > left; echo done");
  EXPECT_EQ(ended.supervised.run.ending, Ending::exited);
  EXPECT_EQ(ended.output.stdout_stream.kept, "done\n");
  EXPECT_TRUE(ended.supervised.run.tree_gone);
  EXPECT_FALSE(is_alive(watching.pid_in("left")));
}

// The descendant left the session, but its parent still lived when the supervisor looked.
TEST(PosixSupervisor, FindsDescendantsInOtherSessions) {
  if (::access("/usr/bin/setsid", X_OK) != 0) GTEST_SKIP() << "there is no setsid program";
  Watching watching;
  const CancelAfter cancel(watching.scratch().file("left"));
  watching.cancel_fd = cancel.fd();
  const Watched ended = watching.run(
      "setsid sh -c 'trap \"\" TERM; echo $$ > left; while :; do sleep 0.01; done'; :");
  EXPECT_EQ(ended.supervised.run.ending, Ending::cancelled);
  EXPECT_TRUE(ended.supervised.run.tree_gone);
  EXPECT_FALSE(is_alive(watching.pid_in("left")));
  EXPECT_GE(ended.supervised.processes_seen, 2U);
}

TEST(PosixSupervisor, StopsAFloodAndKeepsWhatFits) {
  Watching watching;
  watching.output_bytes = 1000;
  watching.limits.output_bytes = 1000;
  const Watched ended =
      watching.run("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
  EXPECT_EQ(ended.supervised.run.ending, Ending::output);
  EXPECT_EQ(ended.output.stdout_stream.kept.size(), 1000U);
}

TEST(PosixSupervisor, StopsWhatComputesTooLong) {
  Watching watching;
  watching.limits.cpu_time_ms = 200;
  const Watched ended = watching.run("(while :; do :; done) & while :; do :; done");
  EXPECT_EQ(ended.supervised.run.ending, Ending::cpu_time);
  EXPECT_GE(ended.supervised.usage.cpu_user_ms + ended.supervised.usage.cpu_system_ms, 200U);
}

TEST(PosixSupervisor, StopsWhenTheCallerWantsItTo) {
  Watching watching;
  sys::PipeEnds cancel = std::move(sys::pipe()).value();
  watching.cancel_fd = cancel.read.get();
  cancel.write.reset();
  const Watched ended = watching.run("sleep 600");
  EXPECT_EQ(ended.supervised.run.ending, Ending::cancelled);
  EXPECT_TRUE(ended.supervised.run.tree_gone);
}

// A grandchild holds the pipe and is not found: it left the session, and its parents ended before
// the supervisor looked.
TEST(PosixSupervisor, AnswersInTimeAlthoughAGrandchildHoldsThePipe) {
  if (::access("/usr/bin/setsid", X_OK) != 0) GTEST_SKIP() << "there is no setsid program";
  Watching watching;
  const Watched ended = watching.run(
      "setsid sh -c 'sh -c \"echo \\$\\$ > left; exec sleep 600\" &' ; until [ -s left ]; do sleep "
      "0.01; done; echo done");
  EXPECT_EQ(ended.supervised.run.ending, Ending::exited);
  EXPECT_EQ(ended.output.stdout_stream.kept, "done\n");
  ::kill(watching.pid_in("left"), SIGKILL);
}

// For sandbox-exec and similar programs: as long as the process has their name, the command has not
// run.
TEST(PosixSupervisor, AForerunnerThatNeverExecutedTheCommandIsAFailedStart) {
  Watching watching;
  watching.forerunner = "sh";
  const Watched stayed = watching.run("echo refused >&2; exit 65");
  EXPECT_EQ(stayed.supervised.run.ending, Ending::start_failed);
  EXPECT_FALSE(stayed.supervised.command_ran);
  EXPECT_EQ(stayed.output.stderr_stream.kept, "refused\n");
  const Watched made_way = watching.run("exec sleep 0");
  EXPECT_EQ(made_way.supervised.run.ending, Ending::exited);
  EXPECT_TRUE(made_way.supervised.command_ran);
}

}  // namespace
}  // namespace bawn::posix
