// Where a run's output is passed on to: a descriptor of the caller, written to without waiting for
// it.
//
// The descriptor is shared with other processes (a shell, a terminal, the far end of a pipeline),
// so its O_NONBLOCK flag must not be touched. How a write is kept from blocking depends on what it
// is:
//
//   pipe, terminal   opened anew through /proc: a private open file that can be non-blocking
//   socket           MSG_DONTWAIT
//   regular file     written directly; it has no notion of a slow reader. It grows no further than
//                    `most_file_bytes`, as
//                    RLIMIT_FSIZE would have it for the command
//   anything else,   poll, then at most PIPE_BUF bytes. A pipe that polls writable takes that much
//   and where the    at once unless another process fills it in between; a terminal may take less.
//   cases above      In these rare cases (a pipe of another user, no /proc) a write can wait for
//   fail             the reader.
//
// A reader that is gone is an answer, not a signal: see sys/write_signals.h.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "policy/policy.h"
#include "sys/fd.h"

namespace bawn {

class RelayTarget {
 public:
  struct Written {
    std::size_t bytes = 0;
    bool full = false;  // more will fit once wait_fd() is writable
    int error =
        0;  // errno if the target takes nothing any more: EPIPE, ENOSPC, EFBIG at the limit, ...
    bool ended = false;  // move_from() only
  };

  // `fd` is borrowed for this call only. An error if it is not open for writing.
  [[nodiscard]] static Result<RelayTarget> open(int fd, Limit most_file_bytes);

  // Writes as much as fits now.
  [[nodiscard]] Written write(std::string_view bytes);

  // The same from a pipe, without copying, if this is a pipe too. `bytes` is 0 with neither `full`
  // nor `error` when `source` is empty, and `ended` when it has no writer any more.
  [[nodiscard]] bool is_pipe() const;
  [[nodiscard]] Written move_from(int source, std::size_t most);

  // What to wait for (EPOLLOUT) after `full`; valid as long as the target.
  [[nodiscard]] int wait_fd() const { return fd_.get(); }

 private:
  enum class Kind { private_copy, socket, regular, shared };

  RelayTarget(Kind kind, Fd fd, Limit most_file_bytes)
      : kind_(kind), fd_(std::move(fd)), most_file_bytes_(most_file_bytes) {}
  [[nodiscard]] Written write_piece(std::string_view bytes) const;
  [[nodiscard]] std::size_t room_in_file(std::size_t wanted) const;

  Kind kind_;
  Fd fd_;
  Limit most_file_bytes_;
};

}  // namespace bawn
