// A command in its job, until no process of the job is left.
//
// It tells the supervisor what has happened and takes no decision about the run's end. Destroying
// it ends the job. One thread at a time.
#pragma once

#include <optional>

#include "backend/windows/event_port.h"
#include "backend/windows/process/job.h"
#include "backend/windows/pump.h"
#include "outcome/outcome.h"
#include "run/process_control.h"
#include "run/supervisor.h"

namespace bawn::windows {

// The job posts its notifications with this key.
inline constexpr ULONG_PTR kJobKey = kFirstFreeKey;
inline constexpr ULONG_PTR kProcessKey = kFirstFreeKey + 1;
static_assert(kProcessKey < kFirstPumpKey);

// What is known of a run that has ended.
struct Supervised {
  RunProgress run;  // state is `finished`
  std::optional<DWORD> exit_code;
  Usage usage;
  bool memory_refused = false;     // the job refused memory beyond its limit
  bool processes_refused = false;  // the job refused a process beyond its limit
};

// Posts to a port once when an object is signalled.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  // Both handles are borrowed.
  [[nodiscard]] Result<void> begin(HANDLE object, HANDLE port, ULONG_PTR key);

 private:
  static void CALLBACK post(void* self, BOOLEAN timed_out);

  HANDLE wait_ = nullptr;
  HANDLE port_ = nullptr;
  ULONG_PTR key_ = 0;
};

class LiveRun final : public ProcessControl {
 public:
  // Borrowed for the object's life.
  struct Parts {
    EventPort* events = nullptr;
    Pump* pump = nullptr;
  };

  // Both are borrowed, too.
  LiveRun(const Job& job, HANDLE process, const Parts& parts)
      : job_(job), process_(process), parts_(parts) {}
  ~LiveRun() override { job_.terminate(); }

  [[nodiscard]] Result<void> begin(Supervisor& supervisor);
  void step(Supervisor& supervisor);

  // Windows has no such request to arbitrary programs.
  [[nodiscard]] bool terminate() override { return false; }
  [[nodiscard]] Killed kill() override;
  [[nodiscard]] std::optional<std::uint64_t> cpu_time_us() override { return job_.cpu_time_us(); }

  [[nodiscard]] Supervised end(const RunProgress& progress);

 private:
  void handle(const Completion& completion, Supervisor& supervisor);
  void take_report(DWORD kind, Supervisor& supervisor);
  void command_exited(Supervisor& supervisor);
  void tree_gone(Supervisor& supervisor);

  const Job& job_;
  HANDLE process_;
  Parts parts_;
  Watch process_watch_;
  Supervised ended_;
};

}  // namespace bawn::windows
