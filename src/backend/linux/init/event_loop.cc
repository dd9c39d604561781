#include "backend/linux/init/event_loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "backend/linux/init/kernel.h"
#include "backend/linux/init/step_times.h"
#include "backend/linux/init/tree.h"

namespace bawn::init {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr long kShortestPauseNs = 1'000'000;
constexpr long kLongestPauseNs = 100'000'000;

std::uint64_t microseconds(const struct timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000 +
         static_cast<std::uint64_t>(time.tv_usec);
}

class EventLoop {
 public:
  EventLoop(const InitState& state, Report& report) : state_(state), report_(report) {}

  // Waits for the next thing to happen and handles it.
  void serve() {
    struct pollfd watched[3] = {
        {.fd = state_.children, .events = POLLIN, .revents = 0},
        {.fd = orphaned_ ? -1 : state_.parent, .events = POLLIN, .revents = 0},
        {.fd = orphaned_ ? -1 : kControl, .events = POLLIN, .revents = 0}};
    const std::int64_t pause = next_turn_ns();
    const struct timespec again = {.tv_sec = pause / kSecondNs, .tv_nsec = pause % kSecondNs};
    const long ready = kernel(__NR_ppoll, watched, 3, pause < 0 ? nullptr : &again, nullptr, 0);
    if (!killing_) {
      keep_limits();
    } else if (ready == 0) {
      // Kill again: a process may have been forked meanwhile, or could not be found because the
      // host was out of files or memory. The pause doubles each time.
      if (pause_ns_ < kLongestPauseNs) pause_ns_ *= 2;
      kill_tree();
    }
    // An init that cannot wait for events would not see an order to end the run, so it ends the run
    // now. In namespaces its own exit kills every process. Elsewhere the next round kills what this
    // one missed.
    if (ready < 0 && ready != kEintr) {
      if (state_.in_namespaces) leave(1);
      kill_tree();
      reap();
    }
    if (ready <= 0) return;
    if (watched[2].revents != 0) obey();
    if (watched[1].revents != 0) abandon();
    if (watched[0].revents != 0) reap();
  }

 private:
  // How long to wait for an event before the next periodic work; negative: without limit.
  [[nodiscard]] std::int64_t next_turn_ns() const {
    if (killing_) return pause_ns_;
    if (asks_for_itself()) return kSecondNs;
    if (state_.deadline_ns == 0) return -1;
    const std::uint64_t now = monotonic_ns();
    return now < state_.deadline_ns ? static_cast<std::int64_t>(state_.deadline_ns - now) : 0;
  }

  // bawn enforces the time limits. But when the command stops on a terminal, bawn stops itself for
  // the user's shell. The command's children could then continue the command, and it would run
  // without limits. So init checks them as well.
  void keep_limits() {
    report_.wall_over = state_.deadline_ns != 0 && monotonic_ns() >= state_.deadline_ns;
    report_.cpu_over = asks_for_itself() && cpu_us() >= state_.cpu_limit_us;
    if (report_.wall_over || report_.cpu_over) kill_tree();
  }

  // While bawn may be stopped it does not ask for the CPU time, so init checks it once a second.
  [[nodiscard]] bool asks_for_itself() const { return stop_told_ && state_.cpu_limit_us != 0; }

  void obey() {
    ControlCode code{};
    if (kernel(__NR_recvfrom, kControl, &code, sizeof code, MSG_DONTWAIT, nullptr, nullptr) <= 0) {
      abandon();
      return;
    }
    switch (code) {
      case ControlCode::terminate:
        signal_everything(kTermSignal);
        signal_everything(kContinueSignal);  // a stopped process would never see the first one
        return;
      case ControlCode::ask_cpu_time:
        answer_cpu_time();
        return;
      case ControlCode::interrupt:
        return signal_command(kInterruptSignal);
      case ControlCode::quit:
        return signal_command(kQuitSignal);
      case ControlCode::suspend:
        return signal_command(kSuspendSignal);
      case ControlCode::hang_up:
        stop_told_ = false;
        signal_command(kHangUpSignal);
        return signal_command(kContinueSignal);
      case ControlCode::continue_foreground:
        return continue_command(state_.command);
      case ControlCode::continue_background:
        return continue_command(state_.self);
      case ControlCode::kill:
        break;
    }
    kill_tree();  // also for an unknown byte
  }

  void signal_command(int signal) const {
    if (state_.command > 0) kernel(__NR_kill, -state_.command, signal);
  }

  // set_foreground() can fail if the command has just ended; then no group needs the terminal.
  void continue_command(std::int32_t foreground) {
    stop_told_ = false;
    if (state_.command <= 0) return;
    static_cast<void>(set_foreground(state_.terminal.slave, foreground));
    signal_command(kContinueSignal);
  }

  // Of all processes, alive or reaped.
  [[nodiscard]] std::uint64_t cpu_us() const {
    struct rusage usage = {};
    kernel(__NR_getrusage, RUSAGE_CHILDREN, &usage);
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime) +
           (state_.proc < 0 ? 0 : live_cpu_us(state_.proc, state_.self));
  }

  void answer_cpu_time() {
    report_.tree_cpu_us = cpu_us();
    send(report_, ReportKind::cpu_time);
  }

  void abandon() {
    orphaned_ = true;
    kill_tree();
  }

  void kill_tree() {
    killing_ = true;
    kill_group();
    kill_cgroup();
    signal_everything(kKillSignal);
  }

  // In the run's pid namespace kill(-1) reaches every process except init at once, so no fork can
  // escape it.
  void signal_everything(int signal) const {
    if (state_.in_namespaces) {
      kernel(__NR_kill, -1, signal);
    } else {
      signal_tree(state_.proc, state_.self, signal);
    }
  }

  // Kills every process that stayed in the command's process group at once: no fork can escape, and
  // no file has to be opened. Only while the command has not been waited for: after that the number
  // could be reused for another group.
  void kill_group() const {
    if (state_.command > 0) kernel(__NR_kill, -state_.command, kKillSignal);
  }

  // Reaches processes in any session or group, also at once.
  void kill_cgroup() const {
    if (state_.cgroup_kill >= 0) kernel(__NR_write, state_.cgroup_kill, "1", 1);
  }

  [[nodiscard]] bool command_has_ended() const {
    siginfo_t info = {};
    if (state_.command <= 0) return false;
    return kernel(__NR_waitid, P_PID, state_.command, &info, WEXITED | WNOHANG | WNOWAIT,
                  nullptr) == 0 &&
           info.si_pid != 0;
  }

  void reap() {
    char discarded[128 * 8];
    kernel(__NR_read, state_.children, discarded, sizeof discarded);
    if (command_has_ended()) kill_group();  // no process of the run outlives the command
    for (;;) {
      int status = 0;
      const int stops = state_.terminal.slave < 0 ? 0 : WUNTRACED;
      const long pid = kernel(__NR_wait4, -1, &status, WNOHANG | stops, nullptr);
      if (pid < 0) finish();
      if (pid == 0) break;
      if (WIFSTOPPED(status)) {
        report_stop(pid, status);
        continue;
      }
      pause_ns_ = kShortestPauseNs;
      if (pid != state_.command) continue;
      report_.wait_status = status;
      killing_ = command_ended_ = true;
      state_.command = 0;  // from now on the kernel may reuse the pid
    }
    if (command_ended_) {
      send(report_, ReportKind::command_exited);
      command_ended_ = false;
    }
    // The orphans of the processes that have just died are now init's children.
    if (killing_) signal_everything(kKillSignal);
  }

  // Only stops of the command itself are reported; its children's stops are the command's business.
  // A second stop is not reported before bawn has answered the first: a flood of stops could fill
  // the socket, and the report of the command's end would be lost.
  void report_stop(long pid, int status) {
    if (pid != state_.command || stop_told_) return;
    stop_told_ = true;
    report_.wait_status = status;
    send(report_, ReportKind::command_stopped);
    report_.wait_status = kNoWaitStatus;
  }

  // The run's tmpfs is its root.
  static bool scratch_is_full() {
    struct statfs found = {};
    return kernel(__NR_statfs, "/", &found) == 0 && (found.f_bfree == 0 || found.f_ffree == 0);
  }

  // The report goes first: removing the files that a command left can take longer than bawn waits
  // for the report.
  [[noreturn]] void finish() {
    if (state_.terminal.slave >= 0)
      kernel(__NR_close, state_.terminal.slave);  // now the master sees the end of the output
    report_.scratch_full = state_.scratch_is_bounded && scratch_is_full();
    if (state_.input >= 0) {
      const long position = kernel(__NR_lseek, state_.input, 0, SEEK_CUR);
      report_.stdin_position = position >= 0 ? position : kNoPosition;
    }
    send(report_, ReportKind::tree_gone);
    remove_private_directory(state_.private_directory);
    leave(0);
  }

  InitState state_;
  Report& report_;
  bool killing_ = false;
  bool command_ended_ = false;  // and not yet reported
  bool stop_told_ = false;      // a stop was reported, and bawn has not answered
  long pause_ns_ = kShortestPauseNs;
  bool orphaned_ = false;
};

}  // namespace

void prepare(Report& report, ReportKind kind) {
  report.kind = kind;
  struct rusage usage = {};
  kernel(__NR_getrusage, RUSAGE_CHILDREN, &usage);
  report.cpu_user_us = microseconds(usage.ru_utime);
  report.cpu_system_us = microseconds(usage.ru_stime);
  report.max_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void send(Report& report, ReportKind kind) {
  prepare(report, kind);
  // Never waits. Reports are few, so the socket does not fill up; if bawn has gone, no process
  // needs the report.
  kernel(__NR_sendto, kControl, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT, nullptr, 0);
}

void run_event_loop(const InitState& state, Report& report) {
  EventLoop loop(state, report);
  for (;;) loop.serve();
}

}  // namespace bawn::init
