// Writes bytes to a file of the caller that may be slow: a console, a pipe.
//
// Such a write can block on its reader, and Windows cannot tell beforehand. So a thread does it,
// one chunk at a time, and posts to a completion port when the chunk is written. The other
// functions are called from one thread.
#pragma once

#include <memory>
#include <string_view>

#include "backend/windows/handle.h"
#include "base/result.h"

namespace bawn::windows {

class Relay {
 public:
  // `target` is borrowed and must outlive the relay. Each finished chunk is posted to `port` with
  // `key`.
  [[nodiscard]] static Result<Relay> create(HANDLE target, HANDLE port, ULONG_PTR key);
  Relay(Relay&&) noexcept;
  Relay& operator=(Relay&&) noexcept;
  // Cancels a pending write; does not wait for a reader that has stopped reading.
  ~Relay();

  // Call only while busy() is false.
  void put(std::string_view bytes);
  [[nodiscard]] bool busy() const;
  // The error of the last write; 0 if it succeeded.
  [[nodiscard]] DWORD error() const;

 private:
  struct Shared;
  explicit Relay(std::shared_ptr<Shared> shared, Handle thread);
  void stop();

  std::shared_ptr<Shared> shared_;
  Handle thread_;
};

}  // namespace bawn::windows
