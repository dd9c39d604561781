// The destination of relayed output: a descriptor of the caller's, written to without waiting.
//
// Other processes share the descriptor (a shell, a terminal, the far end of a pipeline), so its
// O_NONBLOCK flag must not be changed. How a write is kept from blocking depends on the kind of
// file:
//
//   pipe, terminal   opened again through /proc: a private open file description that can be
//                    non-blocking
//   socket           MSG_DONTWAIT
//   regular file     written directly; there is no slow reader. It grows no further than
//                    `most_file_bytes`, the limit that RLIMIT_FSIZE sets for the command
//   anything else,   poll, then at most PIPE_BUF bytes. A pipe that polls writable accepts that
//   much and where the    at once unless another process fills it in between; a terminal may accept
//   less. cases above      In these rare cases (a pipe of another user, no /proc) a write can wait
//   for fail             the reader.
//
// A lost reader is reported as an error and raises no signal: see sys/write_signals.h. One thread
// at a time. Linux.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "policy/limit.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class RelayTarget {
 public:
  struct Written {
    std::size_t bytes = 0;
    bool full = false;  // more will fit once wait_fd() is writable
    // errno if the target accepts no more bytes: EPIPE, ENOSPC, EFBIG at the limit, ...
    int error = 0;
    bool ended = false;  // move_from() only: the source has ended
  };

  // `fd` is borrowed for this call only. An error if it is not open for writing.
  [[nodiscard]] static Result<RelayTarget> open(int fd, Limit most_file_bytes);

  // Writes as much as fits now.
  [[nodiscard]] Written write(std::string_view bytes);

  // The same from a pipe, without copying; only if is_pipe(). If `source` is empty, `bytes` is 0
  // and neither `full` nor `error` is set; if it has no writer any more, `ended` is set.
  [[nodiscard]] bool is_pipe() const;
  [[nodiscard]] Written move_from(int source, std::size_t most);

  // Wait for EPOLLOUT on it after `full`. Borrowed; valid as long as the target.
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

}  // namespace bawn::linux_
