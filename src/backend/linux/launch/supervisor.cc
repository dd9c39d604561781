#include "backend/linux/launch/supervisor.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include "backend/linux/wire/report.h"
#include "sys/call.h"
#include "sys/event_poll.h"
#include "sys/open.h"
#include "sys/timer.h"

namespace bawn::linux_ {
namespace {

using std::chrono::milliseconds;

enum class Source : std::uint64_t {
  control,
  init,
  pump,
  wall,
  cpu,
  phase,
  cancel,
  terminal,
  signals
};

class Supervisor {
 public:
  Supervisor(Launched launched, const Supervision& supervision, SupervisionTools tools)
      : launched_(std::move(launched)),
        supervision_(supervision),
        epoll_(std::move(tools.epoll)),
        wall_(std::move(tools.wall)),
        cpu_(std::move(tools.cpu)),
        phase_(std::move(tools.phase)) {}

  // If supervision fails, init is released too, which ends the run.
  Result<Supervised> run() {
    const Result<void> served = serve();
    release_init(patience_after(served));
    if (!served) return served.error();
    return std::move(outcome_);
  }

 private:
  Result<void> serve() {
    BAWN_TRY(watch_everything());
    while (outcome_.run.state != RunState::finished) BAWN_TRY(wait_once());
    return {};
  }

  Result<void> watch(int fd, Source source) {
    return sys::epoll_add(epoll_.get(), fd, EPOLLIN, static_cast<std::uint64_t>(source));
  }

  Result<void> watch_everything() {
    BAWN_TRY(watch(launched_.control.get(), Source::control));
    BAWN_TRY(watch(launched_.init.get(), Source::init));
    BAWN_TRY(watch(wall_.get(), Source::wall));
    BAWN_TRY(watch(cpu_.get(), Source::cpu));
    BAWN_TRY(watch(phase_.get(), Source::phase));
    if (supervision_.terminal != nullptr) {
      BAWN_TRY(watch(supervision_.terminal->poll_fd(), Source::terminal));
    } else if (supervision_.control != nullptr && supervision_.control->signal_fd >= 0) {
      BAWN_TRY(watch(supervision_.control->signal_fd, Source::signals));
    }
    if (const Limit wall = supervision_.limits.wall_time_ms) {
      BAWN_TRY(sys::timer_arm(wall_.get(), milliseconds(*wall)));
    }
    if (supervision_.pump == nullptr) return happen(RunEvent::streams_closed);
    if (!supervision_.pump->has_open_streams()) BAWN_TRY(happen(RunEvent::streams_closed));
    return watch(supervision_.pump->poll_fd(), Source::pump);
  }

  Result<void> wait_once() {
    std::array<epoll_event, 8> events{};
    BAWN_ASSIGN(const std::size_t count, sys::epoll_wait(epoll_.get(), events, -1));
    for (std::size_t i = 0; i < count && outcome_.run.state != RunState::finished; ++i) {
      BAWN_TRY(handle(static_cast<Source>(events[i].data.u64)));
    }
    return {};
  }

  Result<void> handle(Source source) {
    switch (source) {
      case Source::control:
        return read_reports();
      case Source::init:
        return init_ended();
      case Source::pump:
        return step_pump();
      case Source::wall:
        return timer_event(wall_.get(), RunEvent::wall_deadline);
      case Source::cpu:
        return ask_cpu_time();
      case Source::phase:
        return phase_over();
      case Source::cancel:
        BAWN_TRY(sys::epoll_remove(epoll_.get(), supervision_.cancel_fd));
        return happen(RunEvent::cancelled);
      case Source::terminal:
        return step_terminal();
      case Source::signals:
        return take_signals();
    }
    return {};
  }

  Result<void> step_terminal() {
    BAWN_ASSIGN(const std::vector<init::ControlCode> codes, supervision_.terminal->step());
    for (const init::ControlCode each : codes) send_code(each);
    return {};
  }

  // Without a private terminal these signals do not reach the command: they are for this process.
  Result<void> take_signals() {
    while (const int signal = supervision_.control->next_signal()) {
      if (signal == SIGINT || signal == SIGQUIT) BAWN_TRY(happen(RunEvent::cancelled));
      if (signal == SIGTSTP && supervision_.control->suspend) supervision_.control->suspend(signal);
    }
    return {};
  }

  // Advances the state machine and carries out its actions.
  Result<void> happen(RunEvent event) {
    const Transition transition = advance(outcome_.run, event);
    outcome_.run = transition.next;
    if (transition.actions.send_term) send_code(init::ControlCode::terminate);
    if (transition.actions.send_kill) send_code(init::ControlCode::kill);
    if (transition.actions.arm_grace) BAWN_TRY(sys::timer_arm(phase_.get(), kGrace));
    if (transition.actions.arm_drain) BAWN_TRY(sys::timer_arm(phase_.get(), kDrain));
    return {};
  }

  // If the send fails, init is gone, and its pidfd becomes readable.
  void send_code(init::ControlCode code) const {
    sys::retried([&] {
      return send(launched_.control.get(), &code, sizeof code, MSG_NOSIGNAL | MSG_DONTWAIT);
    });
  }

  Result<void> timer_event(int timer, RunEvent event) {
    BAWN_ASSIGN(const bool fired, sys::timer_fired(timer));
    return fired ? happen(event) : Result<void>();
  }

  Result<void> phase_over() {
    BAWN_ASSIGN(const bool fired, sys::timer_fired(phase_.get()));
    if (!fired) return {};
    if (outcome_.run.state == RunState::terminating) return happen(RunEvent::grace_over);
    return happen(reader_slow_ ? RunEvent::reader_slow : RunEvent::drain_over);
  }

  Result<void> step_pump() {
    BAWN_ASSIGN(const PumpEvent event, supervision_.pump->step());
    reader_slow_ = event.reader_slow;
    pumped_ = event.bytes;
    if (event.relay_lost && supervision_.terminal != nullptr)
      BAWN_TRY(supervision_.terminal->hang_up());
    if (event.output_exceeded) BAWN_TRY(happen(RunEvent::output_exceeded));
    if (event.streams_closed) BAWN_TRY(happen(RunEvent::streams_closed));
    return {};
  }

  Result<void> read_reports() {
    for (;;) {
      std::array<char, sizeof(init::Report) + 1> bytes{};  // a longer datagram shows by its size
      const ssize_t got = receive(bytes);
      if (got == -1 && errno == EAGAIN) return {};
      if (got <= 0) return stop_listening();
      const auto report = decode_report({bytes.data(), static_cast<std::size_t>(got)});
      // An init that sends something else is not to be relied on: the run ends without it.
      if (!report) {
        BAWN_TRY(stop_listening());
        return happen(RunEvent::init_lost);
      }
      BAWN_TRY(handle_report(*report));
    }
  }

  // A file that comes with a report is the master side of the private terminal.
  ssize_t receive(std::span<char> bytes) {
    iovec text = {bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = CMSG_LEN(sizeof(int));  // CMSG_SPACE would have room for two files
    const ssize_t got = sys::retried([&] {
      return recvmsg(launched_.control.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    });
    if (got <= 0) return got;
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
      int file = -1;
      std::memcpy(&file, CMSG_DATA(header), sizeof file);
      master_ = Fd(file);
    }
    return got;
  }

  // The pump reads from the master; the session writes to it and resizes it.
  Result<void> connect_terminal() {
    if (!master_) return {};
    if (supervision_.terminal != nullptr) {
      BAWN_ASSIGN(Fd copy, sys::duplicate(master_.get()));
      BAWN_TRY(supervision_.terminal->connect(std::move(copy)));
    }
    return supervision_.pump->connect_terminal(std::move(master_));
  }

  // Output from before the stop must appear before the shell's: a full-screen program restores the
  // screen that way. That output is in the terminal's buffer, which is small. The number of steps
  // is limited, because other processes may go on filling the buffer.
  Result<void> follow_stop(int status) {
    // Without a session there is no shell that could continue the command.
    if (supervision_.terminal == nullptr) return {};
    constexpr int kMostSteps = 32;
    pumped_ = 1;
    for (int i = 0; i < kMostSteps && pumped_ != 0; ++i) BAWN_TRY(step_pump());
    if (outcome_.run.state == RunState::finished) return {};
    BAWN_ASSIGN(const init::ControlCode next, supervision_.terminal->follow_stop(WSTOPSIG(status)));
    send_code(next);
    return {};
  }

  // Init has closed its end; its pidfd tells the rest.
  Result<void> stop_listening() {
    if (!std::exchange(listening_, false)) return {};
    return sys::epoll_remove(epoll_.get(), launched_.control.get());
  }

  Result<void> handle_report(const init::Report& report) {
    outcome_.last = report;
    if (report.wall_over) BAWN_TRY(happen(RunEvent::wall_deadline));
    if (report.cpu_over) BAWN_TRY(happen(RunEvent::cpu_exhausted));
    switch (report.kind) {
      case init::ReportKind::failed:
        outcome_.failure = report;
        return happen(RunEvent::start_failed);
      case init::ReportKind::started:
        outcome_.start = report;
        BAWN_TRY(connect_terminal());
        BAWN_TRY(happen(RunEvent::started));
        return arm_cpu(0);
      case init::ReportKind::command_stopped:
        return follow_stop(report.wait_status);
      case init::ReportKind::command_exited:
        return command_exited(report.wait_status);
      case init::ReportKind::tree_gone:
        if (!outcome_.wait_status && report.wait_status != init::kNoWaitStatus)
          BAWN_TRY(command_exited(report.wait_status));
        lap("tree_gone");
        return happen(RunEvent::tree_gone);
      case init::ReportKind::cpu_time:
        return arm_cpu(std::max(report.tree_cpu_us, counted_cpu_us()));
    }
    return {};
  }

  Result<void> command_exited(int status) {
    outcome_.wait_status = status;
    lap("command");
    return happen(RunEvent::command_exited);
  }

  void lap(std::string_view step) const {
    if (supervision_.stopwatch != nullptr) supervision_.stopwatch->lap(step);
  }

  Result<void> init_ended() {
    BAWN_TRY(sys::epoll_remove(epoll_.get(), launched_.init.get()));
    BAWN_TRY(read_reports());  // reports from before its end
    return happen(outcome_.run.tree_gone ? RunEvent::tree_gone : RunEvent::init_lost);
  }

  // Wakes at the earliest moment at which the tree can have used up its CPU time, running on every
  // core at once.
  Result<void> arm_cpu(std::uint64_t used_us) {
    const Limit limit = supervision_.limits.cpu_time_ms;
    if (!limit) return {};
    if (used_us >= *limit * 1000) return happen(RunEvent::cpu_exhausted);
    const auto cores = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    constexpr std::uint64_t kLeastUs = 10'000;  // resolution of the clock that init reads
    const std::uint64_t wait_us = std::max(kLeastUs, (*limit * 1000 - used_us) / cores);
    return sys::timer_arm(cpu_.get(), std::chrono::microseconds(wait_us));
  }

  // If a parent never waits for a child, the child's CPU time is in no process's sum once it has
  // ended. A v2 cgroup counts it.
  [[nodiscard]] std::uint64_t counted_cpu_us() const {
    if (supervision_.cgroup == nullptr) return 0;
    const CgroupCounts counts = supervision_.cgroup->counts();
    return counts.cpu_user_usec.value_or(0) + counts.cpu_system_usec.value_or(0);
  }

  Result<void> ask_cpu_time() {
    BAWN_ASSIGN(const bool fired, sys::timer_fired(cpu_.get()));
    if (fired) send_code(init::ControlCode::ask_cpu_time);
    return {};
  }

  // How long init may take to exit before the outcome is made without it.
  [[nodiscard]] milliseconds patience_after(const Result<void>& served) const {
    constexpr milliseconds kPatience{200};
    static_assert(kGrace + kDrain + kPatience < milliseconds(1000));
    // No deadline applies to a run that never started or that bawn gave up; init only has to exit.
    if (!served || outcome_.failure) return std::chrono::seconds(10);
    if (outcome_.run.ending != Ending::exited) return kPatience;
    // A run that ended by itself has not used its grace. Pid 1 of an empty namespace only has to
    // exit.
    return launched_.is_init && outcome_.run.tree_gone ? std::chrono::seconds(10)
                                                       : kPatience + kGrace;
  }

  // After its last report init removes the private directory and exits. An unkillable process or a
  // directory with very many files delays that. Init then stays behind and goes on, with this end
  // of the socket closed.
  void release_init(milliseconds patience) {
    // Closing is not enough: a child that the caller forked meanwhile may hold the socket too.
    shutdown(launched_.control.get(), SHUT_RDWR);
    launched_.control.reset();
    if (!outcome_.run.tree_gone && !outcome_.failure) end_namespace();
    outcome_.init = LeavingInit(std::move(launched_.init), patience);
    if (launched_.is_init && outcome_.run.tree_gone) return;  // there is no private directory
    outcome_.init_gone = outcome_.init.wait();
    if (launched_.is_init && outcome_.init_gone) outcome_.run.tree_gone = true;
  }

  // Works even if the command has made init unresponsive: when pid 1 of a pid namespace dies, the
  // kernel kills all its other processes, and pid 1 is seen to end only after them.
  void end_namespace() const {
    if (launched_.is_init)
      syscall(SYS_pidfd_send_signal, launched_.init.get(), SIGKILL, nullptr, 0);
  }

  Launched launched_;
  const Supervision& supervision_;
  Fd epoll_;
  Fd wall_;
  Fd cpu_;
  Fd phase_;
  bool listening_ = true;
  bool reader_slow_ = false;
  std::uint64_t pumped_ = 0;  // bytes moved in the last step
  Fd master_;                 // of the private terminal, until the pump takes it
  Supervised outcome_;
};

}  // namespace

bool LeavingInit::wait() {
  if (!handle_) return true;
  const bool gone = sys::becomes_readable(handle_.get(), patience_);
  reap_init(handle_.get());
  handle_.reset();
  return gone;
}

Result<SupervisionTools> make_supervision_tools(int cancel_fd) {
  SupervisionTools tools;
  BAWN_ASSIGN(tools.epoll, sys::epoll_create());
  BAWN_ASSIGN(tools.wall, sys::timer_create());
  BAWN_ASSIGN(tools.cpu, sys::timer_create());
  BAWN_ASSIGN(tools.phase, sys::timer_create());
  if (cancel_fd >= 0) {
    const auto added = sys::epoll_add(tools.epoll.get(), cancel_fd, EPOLLIN,
                                      static_cast<std::uint64_t>(Source::cancel));
    if (!added) return added.error().within("cancel_fd");
  }
  return tools;
}

Result<Supervised> supervise(Launched launched, const Supervision& supervision,
                             SupervisionTools tools) {
  return Supervisor(std::move(launched), supervision, std::move(tools)).run();
}

}  // namespace bawn::linux_
