// Passes bytes on to a file of the caller's that may be slow: a console, a pipe.
//
// Writing to such a file can wait for its reader, and Windows has no way to ask beforehand; so a
// thread does it, one chunk at a time, and tells a completion port when the chunk is gone.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "windows/handle.h"

namespace bawn::windows {

class Relay {
 public:
  // `target` is borrowed and must outlive the relay. Each finished chunk is posted to `port` with
  // `key`.
  [[nodiscard]] static Result<Relay> create(HANDLE target, HANDLE port, ULONG_PTR key);
  Relay(Relay&&) noexcept;
  Relay& operator=(Relay&&) noexcept;
  // Does not wait for a reader that has stopped reading.
  ~Relay();

  // Only while it is not busy.
  void put(std::string_view bytes);
  [[nodiscard]] bool busy() const;
  // The system's error if the target takes nothing any more; 0 if it does.
  [[nodiscard]] DWORD error() const;

 private:
  struct Shared;
  explicit Relay(std::shared_ptr<Shared> shared, Handle thread);
  void stop();

  std::shared_ptr<Shared> shared_;
  Handle thread_;
};

}  // namespace bawn::windows
