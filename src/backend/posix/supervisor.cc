#include "backend/posix/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "backend/posix/process_table.h"
#include "backend/posix/process_tree.h"
#include "sys/call.h"

namespace bawn::posix {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using Moment = std::optional<Clock::time_point>;

constexpr milliseconds kBetweenLooks{10};  // between two looks at a tree that is being killed

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

class Supervisor {
 public:
  Supervisor(Spawned spawned, const Supervision& supervision)
      : spawned_(std::move(spawned)), supervision_(supervision), tree_(spawned_.pid) {}

  Result<Supervised> run() {
    const Result<void> served = serve();
    if (!outcome_.run.tree_gone) end_the_rest(patience_after(served));
    reap();
    if (!served) return served.error();
    return outcome_;
  }

 private:
  Result<void> serve() {
    if (const Limit wall = supervision_.limits.wall_time_ms)
      wall_ = Clock::now() + milliseconds(*wall);
    happen(RunEvent::started);
    look_at_cpu_time();
    if (supervision_.pump == nullptr) happen(RunEvent::streams_closed);
    while (!finished()) BAWN_TRY(wait_once());
    return {};
  }

  [[nodiscard]] bool finished() const { return outcome_.run.state == RunState::finished; }

  // Feeds the event to the state machine and carries out its actions.
  void happen(RunEvent event) {
    const Transition transition = advance(outcome_.run, event);
    outcome_.run = transition.next;
    if (transition.actions.send_term) signal_tree(SIGTERM);
    if (transition.actions.arm_grace) phase_ = Clock::now() + kGrace;
    if (transition.actions.arm_drain) phase_ = Clock::now() + kDrain;
    if (transition.actions.send_kill && !finished()) kill_tree();
  }

  void look() {
    tree_.look(list_processes());
    outcome_.processes_seen = std::max(outcome_.processes_seen, tree_.alive().size());
    if (!outcome_.command_ran) outcome_.command_ran = has_become_the_command();
  }

  [[nodiscard]] bool has_become_the_command() const {
    if (supervision_.forerunner.empty()) return true;
    const auto facts = find_process(spawned_.pid);
    return facts && facts->name != supervision_.forerunner;
  }

  void signal_tree(int signal) {
    look();
    // kill(-pgid) also reaches processes that fork during the look. Not for SIGTERM: members would
    // get it twice, and some programs treat a second SIGTERM differently.
    if (signal == SIGKILL) ::kill(-spawned_.pid, signal);
    for (const pid_t pid : tree_.alive()) ::kill(pid, signal);
  }

  // Repeats until a look finds no process: a process that is just being forked is found by the next
  // look.
  void kill_tree() {
    signal_tree(SIGKILL);
    const bool gone = tree_.alive().empty();
    looks_ = gone ? Moment() : Moment(Clock::now() + kBetweenLooks);
    if (gone) happen(RunEvent::tree_gone);
  }

  [[nodiscard]] int patience() const {
    Moment next;
    for (const Moment& each : {wall_, cpu_, phase_, looks_}) {
      if (each && (!next || *each < *next)) next = each;
    }
    if (!next) return -1;
    const auto left = std::chrono::ceil<milliseconds>(*next - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
  }

  Result<void> wait_once() {
    // Entries that are not waited for stay in the array with fd -1, which poll skips, so that the
    // indices stay the same.
    std::vector<pollfd> waits = {
        {.fd = exit_seen_ ? -1 : spawned_.exited.get(), .events = POLLIN, .revents = 0},
        {.fd = cancel_seen_ ? -1 : supervision_.cancel_fd, .events = POLLIN, .revents = 0}};
    if (supervision_.pump != nullptr) supervision_.pump->add_waits(waits);
    const int ready = ::poll(waits.data(), static_cast<nfds_t>(waits.size()), patience());
    if (ready == -1 && errno != EINTR) return system_error(errno, "poll");
    if (ready > 0) {
      // The pump comes before the exit: output written before the exit belongs to the outcome, and
      // may exceed the limit.
      if (supervision_.pump != nullptr) step_pump();
      if (waits[0].revents != 0 && !finished()) command_ended();
      if (waits[1].revents != 0 && !finished()) cancel();
    }
    look_at_clock();
    return {};
  }

  void step_pump() {
    const PumpStanding event = supervision_.pump->step();
    reader_slow_ = event.reader_slow;
    if (event.output_exceeded) happen(RunEvent::output_exceeded);
    if (event.streams_closed) happen(RunEvent::streams_closed);
  }

  void command_ended() {
    exit_seen_ = true;
    look();
    if (supervision_.stopwatch != nullptr) supervision_.stopwatch->lap("command");
    happen(outcome_.command_ran ? RunEvent::command_exited : RunEvent::start_failed);
  }

  void cancel() {
    cancel_seen_ = true;
    happen(RunEvent::cancelled);
  }

  static bool is_over(Moment& moment) {
    if (!moment || Clock::now() < *moment) return false;
    moment.reset();
    return true;
  }

  void look_at_clock() {
    if (is_over(wall_)) happen(RunEvent::wall_deadline);
    if (is_over(cpu_)) look_at_cpu_time();
    if (is_over(looks_) && !finished()) kill_tree();
    if (!is_over(phase_) || finished()) return;
    if (outcome_.run.state == RunState::terminating) return happen(RunEvent::grace_over);
    happen(reader_slow_ ? RunEvent::reader_slow : RunEvent::drain_over);
  }

  // The next look is at the earliest moment at which the tree can have used up its CPU time, if it
  // runs on every core.
  void look_at_cpu_time() {
    const Limit limit = supervision_.limits.cpu_time_ms;
    if (!limit || outcome_.run.state != RunState::running) return;
    look();
    const std::uint64_t used = tree_.cpu_us();
    if (used >= *limit * 1000) return happen(RunEvent::cpu_exhausted);
    const auto cores = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    constexpr std::uint64_t kLeastUs = 10'000;
    cpu_ = Clock::now() + microseconds(std::max(kLeastUs, (*limit * 1000 - used) / cores));
  }

  // How long to wait for killed processes before returning the outcome without them.
  [[nodiscard]] milliseconds patience_after(const Result<void>& served) const {
    constexpr milliseconds kPatience{200};
    static_assert(kGrace + kDrain + kPatience < milliseconds(1000));
    // A run that bawn gave up has no deadline: nothing may keep running unsupervised.
    if (!served) return std::chrono::seconds(10);
    // A run that exited by itself has not used its grace period.
    return outcome_.run.ending == Ending::exited ? kPatience + kGrace : kPatience;
  }

  void end_the_rest(milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    do {
      signal_tree(SIGKILL);
      outcome_.run.tree_gone = tree_.alive().empty();
      if (!outcome_.run.tree_gone) ::poll(nullptr, 0, static_cast<int>(kBetweenLooks.count()));
    } while (!outcome_.run.tree_gone && Clock::now() < deadline);
  }

  // A process in uninterruptible sleep survives SIGKILL, so this must not block.
  void reap() {
    int status = 0;
    rusage used{};
    if (sys::retried([&] { return ::wait4(spawned_.pid, &status, WNOHANG, &used); }) !=
        spawned_.pid)
      return;
    outcome_.wait_status = status;
    outcome_.usage = {milliseconds_of(used.ru_utime), milliseconds_of(used.ru_stime),
                      max_rss_bytes(used)};
    // wait4 does not count descendants that were never reaped; the process tree does.
    const std::uint64_t seen = tree_.cpu_us() / 1000;
    const std::uint64_t told = outcome_.usage.cpu_user_ms + outcome_.usage.cpu_system_ms;
    if (seen > told) outcome_.usage.cpu_user_ms += seen - told;
  }

  Spawned spawned_;
  const Supervision& supervision_;
  ProcessTree tree_;
  Moment wall_;
  Moment cpu_;
  Moment phase_;
  Moment looks_;
  bool exit_seen_ = false;
  bool cancel_seen_ = false;
  bool reader_slow_ = false;
  Supervised outcome_;
};

}  // namespace

Result<Supervised> supervise(Spawned spawned, const Supervision& supervision) {
  return Supervisor(std::move(spawned), supervision).run();
}

}  // namespace bawn::posix
