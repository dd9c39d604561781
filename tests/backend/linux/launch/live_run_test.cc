// A run whose init sends what no init would send. The fake init is a process that
// only waits for the end of its socket; the test writes its reports.

#include "backend/linux/launch/live_run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "backend/linux/wire/sample_messages.h"
#include "run/wait.h"

namespace bawn::linux_ {
namespace {

class Control final : public ProcessControl {
 public:
  explicit Control(const LiveRun& live) : live_(live) {}
  bool terminate() override {
    live_.send(init::ControlCode::terminate);
    return true;
  }
  Killed kill() override {
    live_.send(init::ControlCode::kill);
    return Killed::told;
  }
  std::optional<std::uint64_t> cpu_time_us() override { return std::nullopt; }

 private:
  const LiveRun& live_;
};

class FakeInit {
 public:
  FakeInit() {
    std::array<int, 2> pair{-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
    ours_ = Fd(pair[0]);
    theirs_ = Fd(pair[1]);
    pid_ = fork();
    if (pid_ == 0) {
      char code = 0;
      while (read(theirs_.get(), &code, sizeof code) > 0) continue;
      _exit(0);
    }
  }
  ~FakeInit() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  FakeInit(const FakeInit&) = delete;
  FakeInit& operator=(const FakeInit&) = delete;

  void sends(const std::string& report) const {
    EXPECT_EQ(send(theirs_.get(), report.data(), report.size(), 0),
              static_cast<ssize_t>(report.size()));
  }

  // As pid 1 of a pid namespace, which bawn kills at the end.
  [[nodiscard]] RunProgress supervised() {
    Fd handle(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    auto events = RunEvents::create();
    LiveRun live({std::move(ours_), std::move(handle), true}, {.events = &events.value()});
    Control control(live);
    Stopwatch stopwatch;
    Supervisor supervisor(Limits{}, control, stopwatch);
    EXPECT_TRUE(live.begin(supervisor));
    while (!supervisor.finished()) {
      wait_for(events.value().fd(), supervisor.next());
      const auto ready = events.value().ready();
      for (const RunEvents::Source source : ready.value())
        EXPECT_TRUE(live.handle(source, supervisor));
      supervisor.look_at_clock();
    }
    static_cast<void>(live.release(supervisor.progress(), false));
    return supervisor.progress();
  }

 private:
  Fd ours_;
  Fd theirs_;
  pid_t pid_ = -1;
};

TEST(LiveRun, BelievesAReportThatIsWellFormed) {
  FakeInit init;
  init.sends(bytes_of(sample_report(init::ReportKind::started)));
  init.sends(bytes_of(sample_report(init::ReportKind::tree_gone)));
  EXPECT_EQ(init.supervised().ending, Ending::exited);
}

TEST(LiveRun, GivesUpAnInitWhoseReportIsMalformed) {
  const std::string started = bytes_of(sample_report(init::ReportKind::started));
  init::Report report = sample_report(init::ReportKind::tree_gone);
  report.step = init::Step::count;
  for (const std::string& malformed :
       {bytes_of(report), started + '\0', started.substr(0, 8), std::string("x")}) {
    FakeInit init;
    init.sends(started);
    init.sends(malformed);
    init.sends(bytes_of(sample_report(init::ReportKind::tree_gone)));
    EXPECT_EQ(init.supervised().ending, Ending::init_lost) << malformed.size();
  }
}

}  // namespace
}  // namespace bawn::linux_
