#include "backend/linux/launch/live_run.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {

using std::chrono::milliseconds;
using Source = RunEvents::Source;

Result<void> LiveRun::begin(Supervisor& supervisor) {
  BAWN_TRY(parts_.events->watch(link_.control(), Source::control));
  BAWN_TRY(parts_.events->watch(link_.pidfd(), Source::init));
  if (parts_.terminal != nullptr)
    BAWN_TRY(parts_.events->watch(parts_.terminal->poll_fd(), Source::terminal));
  if (parts_.pump == nullptr || !parts_.pump->has_open_streams())
    supervisor.happen(RunEvent::streams_closed);
  if (parts_.pump == nullptr) return {};
  return parts_.events->watch(parts_.pump->poll_fd(), Source::pump);
}

Result<void> LiveRun::handle(Source source, Supervisor& supervisor) {
  switch (source) {
    case Source::control:
      return read_reports(supervisor);
    case Source::init:
      return init_ended(supervisor);
    case Source::pump:
      return step_pump(supervisor);
    case Source::terminal:
      return parts_.terminal->step();
    default:
      return {};
  }
}

// Without a private terminal these signals do not reach the command: they are for this process.
Result<void> LiveRun::job_signal(JobSignal signal, Supervisor& supervisor) const {
  if (parts_.terminal != nullptr) {
    BAWN_ASSIGN(const auto code, parts_.terminal->take_signal(signal));
    if (code) send(*code);
    return {};
  }
  if (signal == JobSignal::interrupt || signal == JobSignal::quit)
    supervisor.happen(RunEvent::cancelled);
  if (signal == JobSignal::suspend && *parts_.suspend) (*parts_.suspend)(SIGTSTP);
  return {};
}

Result<void> LiveRun::step_pump(Supervisor& supervisor) {
  BAWN_ASSIGN(const PumpEvent event, parts_.pump->step());
  pumped_ = event.bytes;
  if (event.relay_lost) master_.reset();  // a terminal hangs up with its last master
  if (event.relay_lost && parts_.terminal != nullptr) BAWN_TRY(parts_.terminal->hang_up());
  supervisor.output(event);
  return {};
}

// The kernel may say ECONNRESET before it gives the last reports: init_ended() reads them then.
Result<void> LiveRun::read_reports(Supervisor& supervisor) {
  auto end = InitLink::End::none;
  while (auto received = link_.receive(end)) {
    if (received->file) master_ = std::move(received->file);
    BAWN_TRY(handle_report(received->report, supervisor));
  }
  if (end == InitLink::End::none) return {};
  // From here on init's pidfd tells the rest.
  if (std::exchange(listening_, false)) BAWN_TRY(parts_.events->forget(link_.control()));
  if (end == InitLink::End::malformed) supervisor.happen(RunEvent::init_lost);
  return {};
}

// The pump reads from the master; the session writes to it and resizes it.
Result<void> LiveRun::connect_terminal() {
  if (!master_) return {};
  BAWN_ASSIGN(Fd copy, sys::duplicate(master_.get()));
  Fd master = std::exchange(master_, Fd());
  if (parts_.terminal != nullptr) {
    BAWN_TRY(parts_.terminal->connect(std::move(copy)));
  } else {
    master_ = std::move(copy);
  }
  return parts_.pump->connect_terminal(std::move(master));
}

// Output from before the stop must appear before the shell's: a full-screen program restores the
// screen that way. That output is in the terminal's buffer, which is small. The number of steps is
// limited, because other processes may go on filling the buffer.
Result<void> LiveRun::follow_stop(int status, Supervisor& supervisor) {
  // Without a session there is no shell that could continue the command.
  if (parts_.terminal == nullptr) return {};
  constexpr int kMostSteps = 32;
  pumped_ = 1;
  for (int i = 0; i < kMostSteps && pumped_ != 0; ++i) BAWN_TRY(step_pump(supervisor));
  if (supervisor.finished()) return {};
  BAWN_ASSIGN(const init::ControlCode next, parts_.terminal->follow_stop(WSTOPSIG(status)));
  send(next);
  return {};
}

Result<void> LiveRun::handle_report(const init::Report& report, Supervisor& supervisor) {
  ended_.last = report;
  if (report.wall_over) supervisor.happen(RunEvent::wall_deadline);
  if (report.cpu_over) supervisor.happen(RunEvent::cpu_exhausted);
  switch (report.kind) {
    case init::ReportKind::failed:
      ended_.failure = report;
      supervisor.happen(RunEvent::start_failed);
      return {};
    case init::ReportKind::started:
      ended_.start = report;
      BAWN_TRY(connect_terminal());
      supervisor.started();
      return {};
    case init::ReportKind::command_stopped:
      return follow_stop(report.wait_status, supervisor);
    case init::ReportKind::command_exited:
      command_exited(report.wait_status, supervisor);
      return {};
    case init::ReportKind::tree_gone:
      if (!ended_.wait_status && report.wait_status != init::kNoWaitStatus)
        command_exited(report.wait_status, supervisor);
      supervisor.tree_gone();
      return {};
    case init::ReportKind::cpu_time:
      supervisor.cpu_time(std::max(report.tree_cpu_us, counted_cpu_us()));
      return {};
  }
  return {};
}

void LiveRun::command_exited(int status, Supervisor& supervisor) {
  ended_.wait_status = status;
  supervisor.command_exited();
}

Result<void> LiveRun::init_ended(Supervisor& supervisor) {
  BAWN_TRY(parts_.events->forget(link_.pidfd()));
  BAWN_TRY(read_reports(supervisor));  // reports from before its end
  if (!supervisor.finished() && !supervisor.progress().tree_gone)
    supervisor.happen(RunEvent::init_lost);
  return {};
}

// If a parent never waits for a child, the child's CPU time is in no process's sum once it has
// ended. A v2 cgroup counts it.
std::uint64_t LiveRun::counted_cpu_us() const {
  if (parts_.cgroup == nullptr) return 0;
  const CgroupCounts counts = parts_.cgroup->counts();
  return counts.cpu_user_usec.value_or(0) + counts.cpu_system_usec.value_or(0);
}

// From now on only init's end wakes the caller. A descriptor that is not watched is no error.
void LiveRun::stop_watching() {
  listening_ = false;
  for (const int fd : {link_.control(), parts_.pump == nullptr ? -1 : parts_.pump->poll_fd(),
                       parts_.terminal == nullptr ? -1 : parts_.terminal->poll_fd()})
    if (fd >= 0) static_cast<void>(parts_.events->forget(fd));
}

// After its last report init removes the private directory and exits. An unkillable process or a
// directory with very many files delays that. Init then stays behind and goes on, with this end of
// the socket closed.
milliseconds LiveRun::release(const RunProgress& progress, bool gave_up) {
  constexpr milliseconds kPatience{200};
  static_assert(kGrace + kDrain + kPatience < milliseconds(1000));
  constexpr std::chrono::seconds kLong{10};
  stop_watching();
  link_.shut_down();
  if (!progress.tree_gone && !ended_.failure) link_.kill_namespace();
  // No deadline applies to a run that never started or that bawn gave up; init only has to exit.
  if (gave_up || ended_.failure) return kLong;
  if (progress.ending != Ending::exited) return kPatience;
  // A run that ended by itself has not used its grace. Pid 1 of an empty namespace only has to
  // exit.
  return link_.is_pid_1() && progress.tree_gone ? kLong : kPatience + kGrace;
}

bool LiveRun::owes_nothing(const RunProgress& progress) const {
  return link_.is_pid_1() && progress.tree_gone;
}

bool LiveRun::has_ended(RunProgress& progress) {
  if (!link_.has_ended()) return false;
  // A process that the caller has forked may hold the pidfd, too: closing it would not remove it.
  static_cast<void>(parts_.events->forget(link_.pidfd()));
  ended_.init_gone = true;
  if (link_.is_pid_1()) progress.tree_gone = true;
  return true;
}

Result<void> LiveRun::resize(unsigned rows, unsigned columns) const {
  if (!master_) return unsupported_error("this run has no terminal of its own to resize");
  const winsize size{.ws_row = static_cast<unsigned short>(rows),
                     .ws_col = static_cast<unsigned short>(columns),
                     .ws_xpixel = 0,
                     .ws_ypixel = 0};
  BAWN_TRY(sys::checked("TIOCSWINSZ", [&] { return ioctl(master_.get(), TIOCSWINSZ, &size); }));
  return {};
}

}  // namespace bawn::linux_
