// Shows the command the bytes that wait in the caller's stdin, and removes them from there only
// after the command has read them.
//
// For a pipe or a socket that other processes of the caller read after the run: in `while read l;
// do bawn run ...; done` the next line is still there. The command's pipe is shrunk to one buffer,
// so that it polls writable exactly when the command has read everything it was shown. That costs
// one wake-up per page. A command that has read kTappedBytes is assumed to read everything, and the
// rest is read ahead (backend/linux/stdio/input_stream.h).
//
// Two taps on one pipe at the same time would show the same bytes twice. One thread at a time.
// Linux.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

inline constexpr std::size_t kTappedBytes = 64 * 1024;

class InputTap {
 public:
  enum class Kind { pipe, socket };
  enum class Next {
    wait_for_source,   // the source is empty
    wait_for_command,  // it has not read everything it was shown
    stream,            // the command has read kTappedBytes
    end,               // the source has ended, or the command has closed its stdin
  };

  // `source` is the caller's descriptor and `sink` the non-blocking write end of the command's
  // pipe; both are borrowed for the tap's life. No value if the kernel refuses to shrink the pipe.
  // An error if the host is short of a resource.
  [[nodiscard]] static Result<std::optional<InputTap>> create(Kind kind, int source, int sink);

  // Moves what it can, without waiting, and says what to wait for. The calling thread must have
  // SIGPIPE blocked (sys/write_signals.h).
  [[nodiscard]] Next move();

  // Removes from the source the bytes that the command has read. Call it once more at the end.
  void take_read();

 private:
  InputTap(Kind kind, int source, int sink, Fd null)
      : kind_(kind), source_(source), sink_(sink), null_(std::move(null)) {}

  [[nodiscard]] ssize_t show() const;
  [[nodiscard]] ssize_t show_socket() const;
  [[nodiscard]] ssize_t discard(std::size_t bytes) const;

  Kind kind_;
  int source_;
  int sink_;
  Fd null_;
  std::size_t shown_ = 0;  // bytes that are in the command's pipe and still in the source
  std::size_t taken_ = 0;  // bytes removed from the source
};

}  // namespace bawn::linux_
