#include "backend/windows/supervisor.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "backend/windows/system_text.h"

namespace bawn::windows {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using Moment = std::optional<Clock::time_point>;

constexpr ULONG_PTR kProcessKey = 2;
constexpr ULONG_PTR kCancelKey = 3;

// Posts to the port once when an object is signalled.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    // Waits for a running callback, which uses this object.
    if (wait_ != nullptr) UnregisterWaitEx(wait_, INVALID_HANDLE_VALUE);
  }

  Result<void> begin(HANDLE object, HANDLE port, ULONG_PTR key) {
    port_ = port;
    key_ = key;
    if (RegisterWaitForSingleObject(&wait_, object, post, this, INFINITE, WT_EXECUTEONLYONCE) != 0)
      return {};
    wait_ = nullptr;
    return system_failure(GetLastError(), "wait for an object of the run");
  }

 private:
  static void CALLBACK post(void* self, BOOLEAN /*timed_out*/) {
    const auto* watch = static_cast<const Watch*>(self);
    PostQueuedCompletionStatus(watch->port_, 0, watch->key_, nullptr);
  }

  HANDLE wait_ = nullptr;
  HANDLE port_ = nullptr;
  ULONG_PTR key_ = 0;
};

class Supervisor {
 public:
  Supervisor(const Job& job, const Spawned& spawned, const Supervision& supervision)
      : job_(job), process_(spawned.process.get()), supervision_(supervision) {}

  Result<Supervised> run() {
    const Result<void> served = serve();
    job_.terminate();
    if (!served) return served.error();
    outcome_.usage = job_.usage();
    return outcome_;
  }

 private:
  Result<void> serve() {
    BAWN_TRY(process_watch_.begin(process_, supervision_.port, kProcessKey));
    if (supervision_.cancel != nullptr)
      BAWN_TRY(cancel_watch_.begin(supervision_.cancel, supervision_.port, kCancelKey));
    if (const Limit wall = supervision_.limits.wall_time_ms)
      wall_ = Clock::now() + milliseconds(*wall);
    happen(RunEvent::started);
    look_at_cpu_time();
    if (supervision_.pump == nullptr) {
      happen(RunEvent::streams_closed);
    } else {
      supervision_.pump->start();
      look_at_pump();
    }
    while (!finished()) BAWN_TRY(wait_once());
    return {};
  }

  [[nodiscard]] bool finished() const { return outcome_.run.state == RunState::finished; }

  // Feeds the event to the state machine and carries out its actions.
  void happen(RunEvent event) {
    const Transition transition = advance(outcome_.run, event);
    outcome_.run = transition.next;
    if (transition.actions.send_kill) job_.terminate();
    if (transition.actions.arm_grace) phase_ = Clock::now() + kGrace;
    if (transition.actions.arm_drain) phase_ = Clock::now() + kDrain;
    // Windows has no SIGTERM for arbitrary programs, so there is no grace period to wait for.
    if (transition.actions.send_term) return happen(RunEvent::grace_over);
    if (transition.actions.send_kill && !finished()) look_at_tree();
  }

  [[nodiscard]] DWORD patience() const {
    Moment next;
    for (const Moment& each : {wall_, cpu_, phase_, tree_}) {
      if (each && (!next || *each < *next)) next = each;
    }
    if (!next) return INFINITE;
    const auto left = std::chrono::ceil<milliseconds>(*next - Clock::now()).count();
    return static_cast<DWORD>(std::clamp<long long>(left, 0, 60'000));
  }

  Result<void> wait_once() {
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    OVERLAPPED* done = nullptr;
    const BOOL well = GetQueuedCompletionStatus(supervision_.port, &bytes, &key, &done, patience());
    if (well == 0 && done == nullptr) {
      if (const DWORD reason = GetLastError(); reason != WAIT_TIMEOUT)
        return system_failure(reason, "wait for the run");
    } else {
      handle(key, bytes, well != 0);
    }
    look_at_clock();
    return {};
  }

  void handle(ULONG_PTR key, DWORD bytes, bool well) {
    if (key == kJobKey) return take_report(bytes);
    if (key == kProcessKey) return command_exited();
    if (key == kCancelKey) return happen(RunEvent::cancelled);
    if (supervision_.pump == nullptr) return;
    supervision_.pump->step(key, bytes, well);
    look_at_pump();
  }

  // A job's notification has its kind in the byte count.
  void take_report(DWORD kind) {
    switch (kind) {
      case JOB_OBJECT_MSG_END_OF_JOB_TIME:
      case JOB_OBJECT_MSG_END_OF_PROCESS_TIME:
        return happen(RunEvent::cpu_exhausted);
      case JOB_OBJECT_MSG_ACTIVE_PROCESS_ZERO:
        return tree_gone();
      case JOB_OBJECT_MSG_PROCESS_MEMORY_LIMIT:
      case JOB_OBJECT_MSG_JOB_MEMORY_LIMIT:
        outcome_.memory_refused = true;
        return;
      case JOB_OBJECT_MSG_ACTIVE_PROCESS_LIMIT:
        outcome_.processes_refused = true;
        return;
      default:
        return;
    }
  }

  void command_exited() {
    DWORD code = 0;
    if (!outcome_.exit_code && GetExitCodeProcess(process_, &code) != 0 &&
        outcome_.run.ending == Ending::none)
      outcome_.exit_code = code;
    lap("command");
    happen(RunEvent::command_exited);
  }

  // The notification that the job is empty may arrive before the command's exit.
  void tree_gone() {
    tree_.reset();
    if (outcome_.run.ending == Ending::none) command_exited();
    if (outcome_.run.tree_gone) return;
    lap("tree_gone");
    happen(RunEvent::tree_gone);
  }

  // Notifications of a job can be lost, so its process count is queried as well.
  void look_at_tree() {
    constexpr milliseconds kPause{10};
    if (outcome_.run.tree_gone || finished()) return tree_.reset();
    if (job_.is_empty()) return tree_gone();
    tree_ = Clock::now() + kPause;
  }

  void look_at_pump() {
    const PumpStanding event = supervision_.pump->standing();
    reader_slow_ = event.reader_slow;
    if (event.output_exceeded) happen(RunEvent::output_exceeded);
    if (event.streams_closed) happen(RunEvent::streams_closed);
  }

  void look_at_clock() {
    const Clock::time_point now = Clock::now();
    const auto is_over = [&](Moment& moment) {
      if (!moment || now < *moment) return false;
      moment.reset();
      return true;
    };
    if (is_over(wall_)) happen(RunEvent::wall_deadline);
    if (is_over(cpu_)) look_at_cpu_time();
    if (is_over(tree_)) look_at_tree();
    if (is_over(phase_)) happen(reader_slow_ ? RunEvent::reader_slow : RunEvent::drain_over);
  }

  // Wakes at the earliest moment at which the tree can have used up its CPU time, if it runs on
  // every core. The job's own limit counts user time only; this counts kernel time too.
  void look_at_cpu_time() {
    const Limit limit = supervision_.limits.cpu_time_ms;
    if (!limit) return;
    const std::uint64_t used_us = job_.cpu_time_us();
    if (used_us >= *limit * 1000) return happen(RunEvent::cpu_exhausted);
    constexpr std::uint64_t kLeastUs = 16'000;  // the resolution of the clock that is read
    const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
    cpu_ = Clock::now() + microseconds(std::max(kLeastUs, (*limit * 1000 - used_us) / cores));
  }

  void lap(std::string_view step) const {
    if (supervision_.stopwatch != nullptr) supervision_.stopwatch->lap(step);
  }

  const Job& job_;
  HANDLE process_;
  const Supervision& supervision_;
  Watch process_watch_;
  Watch cancel_watch_;
  Moment wall_;
  Moment cpu_;
  Moment phase_;
  Moment tree_;  // when to count the job's processes again
  bool reader_slow_ = false;
  Supervised outcome_;
};

}  // namespace

Result<Handle> create_port() {
  Handle port(CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 1));
  if (!port) return system_failure(GetLastError(), "create a completion port");
  return port;
}

Result<Supervised> supervise(const Job& job, const Spawned& spawned,
                             const Supervision& supervision) {
  return Supervisor(job, spawned, supervision).run();
}

}  // namespace bawn::windows
