// Everything that one run on Windows waits for, behind one event that a caller can wait for.
//
// A completion port cannot be waited for together with other objects, and has no timer. So a thread
// takes its packets, keeps them for take(), and sets the event. The other functions are called from
// one thread.
#pragma once

#include <memory>
#include <vector>

#include "backend/windows/handle.h"
#include "base/result.h"
#include "run/supervisor.h"

namespace bawn::windows {

// One packet of the port.
struct Completion {
  ULONG_PTR key = 0;
  DWORD bytes = 0;   // the system's count
  bool well = true;  // false if the operation failed
};

// Keys of packets that the port uses itself; others must not be smaller.
inline constexpr ULONG_PTR kFirstFreeKey = 16;

class EventPort {
 public:
  [[nodiscard]] static Result<EventPort> create();
  EventPort(EventPort&&) noexcept;
  EventPort& operator=(EventPort&&) = delete;
  // Ends the thread.
  ~EventPort();

  // Both borrowed. The event is set while take() has packets, and after the moment of wake_at().
  [[nodiscard]] HANDLE port() const;
  [[nodiscard]] HANDLE event() const;

  // Replaces the earlier moment; none: no timer.
  void wake_at(Supervisor::Moment moment);

  // The packets since the last call, in order. Resets the event.
  [[nodiscard]] std::vector<Completion> take();

 private:
  struct Shared;
  EventPort(std::unique_ptr<Shared> shared, Handle thread);
  std::unique_ptr<Shared> shared_;  // the thread uses it
  Handle thread_;
};

}  // namespace bawn::windows
