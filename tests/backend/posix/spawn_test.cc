#include "backend/posix/spawn.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/posix/scratch.h"
#include "sys/open.h"
#include "sys/pipe.h"

namespace bawn::posix {
namespace {

using testing::HasSubstr;

// A shell that writes into a file.
class Spawning {
 public:
  explicit Spawning(const std::string& script) {
    order_ = {.program = "/bin/sh",
              .argv = {"sh", "-c", script},
              .environment = {"MARK=yes"},
              .directory = scratch_.path()};
    output_ = Fd(::open(scratch_.file("output").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    input_ = sys::open("/dev/null", O_RDONLY).value();
    order_.stdio = {input_.get(), output_.get(), output_.get()};
  }

  SpawnOrder& order() { return order_; }
  [[nodiscard]] const Scratch& scratch() const { return scratch_; }

  // Returns what the shell printed; its wait status is in status_.
  std::string run() {
    auto spawned = spawn(order_);
    if (!spawned) return spawned.error().message;
    spawned_ = std::move(spawned).value();
    pollfd wait{.fd = spawned_.exited.get(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&wait, 1, -1), 1);
    EXPECT_EQ(::waitpid(spawned_.pid, &status_, 0), spawned_.pid);
    return read_text(scratch_.file("output"));
  }

  Spawned spawned_;
  int status_ = -1;

 private:
  Scratch scratch_;
  SpawnOrder order_;
  Fd output_;
  Fd input_;
};

TEST(Spawn, RunsTheProgramWhereItIsToldToWithThatEnvironmentOnly) {
  Spawning spawning(
      "pwd; /usr/bin/env | grep -v -e '^PWD=' -e '^_=' -e '^SHLVL=' -e '^OLDPWD='; exit 7");
  EXPECT_EQ(spawning.run(), spawning.scratch().path() + "\nMARK=yes\n");
  EXPECT_EQ(WEXITSTATUS(spawning.status_), 7);
}

TEST(Spawn, LeadsASessionAndAGroupOfItsOwn) {
  Spawning spawning("exec sleep 600");
  auto spawned = spawn(spawning.order());
  ASSERT_TRUE(spawned);
  EXPECT_EQ(::getsid(spawned.value().pid), spawned.value().pid);
  EXPECT_EQ(::getpgid(spawned.value().pid), spawned.value().pid);
  ::kill(-spawned.value().pid, SIGKILL);
  ::waitpid(spawned.value().pid, nullptr, 0);
}

TEST(Spawn, GivesNothingButStdio) {
  const Fd leak(::open("/dev/null", O_RDONLY));  // not close-on-exec
  const Fd high(::fcntl(leak.get(), F_DUPFD, 700));
  ASSERT_GE(high.get(), 700);
  Spawning spawning("for fd in 3 4 5 6 7 8 9 " + std::to_string(leak.get()) +
                    "; do (eval \": <&$fd\") 2>/dev/null && echo open $fd; done; ls /dev/fd | grep "
                    "7 ; echo done");
  EXPECT_EQ(spawning.run(), "done\n");
}

TEST(Spawn, ResetsSignalsThatTheCallerIgnoresOrBlocks) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGUSR1, &ignore, &before);
  sigset_t blocked;
  sigset_t mask;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &mask);
  for (const int signal : {SIGUSR1, SIGUSR2}) {
    Spawning spawning("kill -" + std::to_string(signal) + " $$; echo survived");
    EXPECT_EQ(spawning.run(), "");
    EXPECT_TRUE(WIFSIGNALED(spawning.status_));
    EXPECT_EQ(WTERMSIG(spawning.status_), signal);
  }
  sigset_t now;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
  EXPECT_EQ(sigismember(&now, SIGUSR2), 1) << "the caller's own mask is as it was";
  EXPECT_EQ(sigismember(&now, SIGTERM), 0);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(Spawn, SetsLimitsAndReadsThemBack) {
  Spawning spawning("ulimit -n; ulimit -c");
  spawning.order().limits = {{ProcessLimit::open_files, 33}, {ProcessLimit::core_bytes, 0}};
  EXPECT_EQ(spawning.run(), "33\n0\n");
  EXPECT_EQ(spawning.spawned_.limits, (std::vector<std::uint64_t>{33, 0}));
}

TEST(Spawn, AProgramThatIsNoneIsTheCallersMistake) {
  Spawning spawning("");
  for (const char* program : {"/no/such/program", "/tmp"}) {
    spawning.order().program = program;
    const auto spawned = spawn(spawning.order());
    ASSERT_FALSE(spawned);
    EXPECT_EQ(spawned.error().kind, ErrorKind::invalid);
    EXPECT_THAT(spawned.error().message, HasSubstr(std::string("execute '") + program + "'"));
  }
}

TEST(Spawn, NothingRunsIfAStepFails) {
  Spawning spawning("touch ran");
  spawning.order().directory = spawning.scratch().file("no-such");
  const auto spawned = spawn(spawning.order());
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().kind, ErrorKind::system);
  EXPECT_THAT(spawned.error().message, HasSubstr("enter the working directory"));
  spawning.order().directory = spawning.scratch().path();
  spawning.order().stdio[0] = 999;
  EXPECT_FALSE(spawn(spawning.order()));
  EXPECT_EQ(read_text(spawning.scratch().file("ran")), "");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "and nobody is left to wait for";
}

}  // namespace
}  // namespace bawn::posix
