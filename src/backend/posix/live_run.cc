#include "backend/posix/live_run.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/posix/process_table.h"
#include "run/wait.h"
#include "sys/call.h"

namespace bawn::posix {
namespace {

using std::chrono::milliseconds;

std::uint64_t milliseconds_of(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1000 +
         static_cast<std::uint64_t>(time.tv_usec) / 1000;
}

std::uint64_t max_rss_bytes(const rusage& used) {
#if defined(__APPLE__)
  return static_cast<std::uint64_t>(used.ru_maxrss);
#else
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
#endif
}

bool is_readable(int fd) {
  pollfd ask{.fd = fd, .events = POLLIN, .revents = 0};
  return fd >= 0 && sys::retried([&] { return ::poll(&ask, 1, 0); }) == 1;
}

}  // namespace

LiveRun::LiveRun(Spawned spawned, Parts parts)
    : spawned_(std::move(spawned)), parts_(std::move(parts)), tree_(spawned_.pid) {}

LiveRun::~LiveRun() {
  if (reaped_) return;
  signal_tree(SIGKILL);
  reap();
}

Result<void> LiveRun::begin(Supervisor& supervisor) {
  supervisor.started();
  if (parts_.pump == nullptr) supervisor.happen(RunEvent::streams_closed);
  return watch();
}

// The pump comes before the exit: output written before the exit belongs to the outcome, and may
// exceed the limit.
Result<void> LiveRun::step(Supervisor& supervisor) {
  if (parts_.pump != nullptr) supervisor.output(parts_.pump->step());
  if (!exit_seen_ && !supervisor.finished() && is_readable(spawned_.exited.get())) {
    exit_seen_ = true;
    look();
    if (ended_.command_ran) {
      supervisor.command_exited();
    } else {
      supervisor.happen(RunEvent::start_failed);
    }
  }
  return watch();
}

Result<void> LiveRun::watch() const {
  std::vector<pollfd> waits;
  if (!released_) {
    waits = {{.fd = exit_seen_ ? -1 : spawned_.exited.get(), .events = POLLIN, .revents = 0}};
    if (parts_.pump != nullptr) parts_.pump->add_waits(waits);
  }
  return parts_.events->watch(waits);
}

void LiveRun::look() {
  tree_.look(list_processes());
  ended_.processes_seen = std::max(ended_.processes_seen, tree_.alive().size());
  if (ended_.command_ran) return;
  const auto facts = find_process(spawned_.pid);
  ended_.command_ran = parts_.forerunner.empty() || (facts && facts->name != parts_.forerunner);
}

void LiveRun::signal_tree(int signal) {
  look();
  // kill(-pgid) also reaches processes that fork during the look. Not for SIGTERM: members would
  // get it twice, and some programs treat a second SIGTERM differently.
  if (signal == SIGKILL) ::kill(-spawned_.pid, signal);
  for (const pid_t pid : tree_.alive()) ::kill(pid, signal);
}

bool LiveRun::terminate() {
  signal_tree(SIGTERM);
  return true;
}

// A process that is just being forked is found by the next look.
ProcessControl::Killed LiveRun::kill() {
  signal_tree(SIGKILL);
  return tree_.alive().empty() ? Killed::gone : Killed::alive;
}

std::optional<std::uint64_t> LiveRun::cpu_time_us() {
  look();
  return tree_.cpu_us();
}

milliseconds LiveRun::release(const RunProgress& progress, bool gave_up) {
  constexpr milliseconds kPatience{200};
  static_assert(kGrace + kDrain + kPatience < milliseconds(1000));
  released_ = true;
  static_cast<void>(watch());
  // A run that bawn gave up has no deadline: nothing may keep running unsupervised.
  if (gave_up) return std::chrono::seconds(10);
  // A run that exited by itself has not used its grace period.
  return progress.ending == Ending::exited ? kPatience + kGrace : kPatience;
}

bool LiveRun::is_gone(RunProgress& progress) {
  if (!progress.tree_gone) progress.tree_gone = kill() == Killed::gone;
  return progress.tree_gone;
}

Supervised LiveRun::end(const RunProgress& progress) {
  reap();
  ended_.run = progress;
  return ended_;
}

// A process in uninterruptible sleep survives SIGKILL, so this must not block.
void LiveRun::reap() {
  reaped_ = true;
  int status = 0;
  rusage used{};
  if (sys::retried([&] { return ::wait4(spawned_.pid, &status, WNOHANG, &used); }) != spawned_.pid)
    return;
  ended_.wait_status = status;
  ended_.usage = {milliseconds_of(used.ru_utime), milliseconds_of(used.ru_stime),
                  max_rss_bytes(used)};
  // wait4 does not count descendants that were never reaped; the process tree does.
  const std::uint64_t seen = tree_.cpu_us() / 1000;
  const std::uint64_t told = ended_.usage.cpu_user_ms + ended_.usage.cpu_system_ms;
  if (seen > told) ended_.usage.cpu_user_ms += seen - told;
}

Result<Supervised> supervise(Spawned spawned, const Limits& limits, LiveRun::Parts parts,
                             int cancel_fd) {
  BAWN_ASSIGN(EventSet events, EventSet::create());
  parts.events = &events;
  LiveRun live(std::move(spawned), std::move(parts));
  Stopwatch stopwatch;
  Supervisor supervisor(limits, live, stopwatch);
  BAWN_TRY(live.begin(supervisor));
  while (!supervisor.finished()) {
    BAWN_TRY(events.wake_at(supervisor.next()));
    if (wait_for_either(events.fd(), cancel_fd)) {
      cancel_fd = -1;
      supervisor.happen(RunEvent::cancelled);
    }
    BAWN_TRY(live.step(supervisor));
    supervisor.look_at_clock();
  }
  const auto until = Supervisor::Clock::now() + live.release(supervisor.progress(), false);
  while (!live.is_gone(supervisor.progress()) && Supervisor::Clock::now() < until)
    wait_for(events.fd(), Supervisor::Clock::now() + Supervisor::kBetweenLooks);
  return live.end(supervisor.progress());
}

}  // namespace bawn::posix
