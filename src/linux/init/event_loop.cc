#include "linux/init/event_loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "linux/init/kernel.h"
#include "linux/init/step_times.h"
#include "linux/init/tree.h"

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
      // What was born meanwhile, or could not be looked at because the machine is out of files or
      // memory, is tried again: at once, and then less and less often.
      if (pause_ns_ < kLongestPauseNs) pause_ns_ *= 2;
      kill_tree();
    }
    // An init that cannot wait cannot be told to end the run either: it ends it. In namespaces its
    // own end is the end of everything there; elsewhere the next round kills what this one has
    // missed.
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
  // When something has to be done unasked; negative: never.
  [[nodiscard]] std::int64_t next_turn_ns() const {
    if (killing_) return pause_ns_;
    if (asks_for_itself()) return kSecondNs;
    if (state_.deadline_ns == 0) return -1;
    const std::uint64_t now = monotonic_ns();
    return now < state_.deadline_ns ? static_cast<std::int64_t>(state_.deadline_ns - now) : 0;
  }

  // The clocks of a run are bawn's. But bawn stops when its command does, on a terminal with a
  // shell, and the command's own children can continue that and run on with no clock at all.
  void keep_limits() {
    report_.wall_over = state_.deadline_ns != 0 && monotonic_ns() >= state_.deadline_ns;
    report_.cpu_over = asks_for_itself() && cpu_us() >= state_.cpu_limit_us;
    if (report_.wall_over || report_.cpu_over) kill_tree();
  }

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
    kill_tree();  // also for a byte that is no code
  }

  void signal_command(int signal) const {
    if (state_.command > 0) kernel(__NR_kill, -state_.command, signal);
  }

  // A command that has ended meanwhile has no group to give the terminal to, and needs none.
  void continue_command(std::int32_t foreground) {
    stop_told_ = false;
    if (state_.command <= 0) return;
    static_cast<void>(set_foreground(state_.terminal.slave, foreground));
    signal_command(kContinueSignal);
  }

  // Of the tree, what is alive or was waited for.
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

  // In a pid namespace of its own, "everything but me" is the tree, in one stroke that no fork
  // outruns.
  void signal_everything(int signal) const {
    if (state_.in_namespaces) {
      kernel(__NR_kill, -1, signal);
    } else {
      signal_tree(state_.proc, state_.self, signal);
    }
  }

  // All that stayed in the command's own group dies in one stroke, which no fork outruns and for
  // which nothing has to be opened. The number is the group's for certain only until the command
  // has been waited for.
  void kill_group() const {
    if (state_.command > 0) kernel(__NR_kill, -state_.command, kKillSignal);
  }

  // Wherever it has gone, and also in one stroke.
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
    if (command_has_ended()) kill_group();  // nothing outlives the command
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
      state_.command = 0;  // the number may be somebody else's from now on
    }
    if (command_ended_) {
      send(report_, ReportKind::command_exited);
      command_ended_ = false;
    }
    // Orphans of what has just died have become ours.
    if (killing_) signal_everything(kKillSignal);
  }

  // What the command's own children do is between them and the command, as in any shell. One stop
  // is told at a time: bawn follows each, and a thousand of them would leave no room for the word
  // that it has ended.
  void report_stop(long pid, int status) {
    if (pid != state_.command || stop_told_) return;
    stop_told_ = true;
    report_.wait_status = status;
    send(report_, ReportKind::command_stopped);
    report_.wait_status = kNoWaitStatus;
  }

  // The run's own file system is its root.
  static bool scratch_is_full() {
    struct statfs found = {};
    return kernel(__NR_statfs, "/", &found) == 0 && (found.f_bfree == 0 || found.f_ffree == 0);
  }

  // The report first: a command can leave more files than can be removed in the time an answer may
  // take.
  [[noreturn]] void finish() {
    if (state_.terminal.slave >= 0)
      kernel(__NR_close, state_.terminal.slave);  // what was written to it ends here
    report_.scratch_full = state_.scratch_is_bounded && scratch_is_full();
    if (state_.input >= 0) report_.stdin_position = kernel(__NR_lseek, state_.input, 0, SEEK_CUR);
    send(report_, ReportKind::tree_gone);
    remove_private_directory(state_.private_directory);
    leave(0);
  }

  InitState state_;
  Report& report_;
  bool killing_ = false;
  bool command_ended_ = false;  // and nobody has been told
  bool stop_told_ = false;      // and not answered
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
  // Reports are few and the socket is large; a reader that is gone needs none.
  kernel(__NR_sendto, kControl, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT, nullptr, 0);
}

void run_event_loop(const InitState& state, Report& report) {
  EventLoop loop(state, report);
  for (;;) loop.serve();
}

}  // namespace bawn::init
