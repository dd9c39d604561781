// Shows the command what waits in the caller's stdin, and takes it out of there only once the
// command has read it.
//
// For a pipe or a socket, which other processes of the caller read after the run: in `while read l;
// do bawn run ...; done` the next line is still there. The command's own pipe is shrunk to one
// buffer, so that it polls writable exactly when the command has read all that it was shown. That
// takes a wake-up for each page; a command that has read kTappedBytes is taken for one that reads
// everything, and the rest is moved ahead of it (linux/input_stream.h).
//
// Two taps on one pipe at the same time would show the same bytes twice. One thread at a time.
// Linux.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>

#include "sys/fd.h"

namespace bawn {

inline constexpr std::size_t kTappedBytes = 64 * 1024;

class InputTap {
 public:
  enum class Kind { pipe, socket };
  enum class Next {
    wait_for_source,   // it is empty
    wait_for_command,  // to read what it was shown
    stream,            // the command has read kTappedBytes
    end,               // the source has ended, or the command has closed its stdin
  };

  // `source` is the caller's and `sink` the non-blocking write end of the command's pipe; both are
  // borrowed for the tap's life. None where the kernel cannot do this.
  [[nodiscard]] static std::optional<InputTap> create(Kind kind, int source, int sink);

  // Never waits. The caller has blocked SIGPIPE (sys/write_signals.h).
  [[nodiscard]] Next move();

  // Takes out of the source what the command has read of it.
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
  std::size_t shown_ = 0;  // in the command's pipe, and still in the source
  std::size_t taken_ = 0;  // out of the source
};

}  // namespace bawn
