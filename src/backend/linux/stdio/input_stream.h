// Copies the caller's stdin into a pipe that the command reads. Part of the pump; see
// backend/linux/stdio/pump.h.
//
// Used for a file that the command must not hold itself. How much the caller loses depends on it:
//   regular file   the caller's position ends where the command stopped reading
//   pipe, socket   only bytes that the command has read are taken, until it has read kTappedBytes
//                  (backend/linux/stdio/input_tap.h); after that as for the rest
//   anything else  bytes are read ahead, as many as fit into the command's pipe; the caller loses
//                  those that the command does not read
// One thread at a time. Linux.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/linux/stdio/input_tap.h"
#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class InputStream {
 public:
  // `source` is the caller's descriptor, borrowed for this call only. With `moves_position`,
  // finish() sets the caller's position in a regular file. `child_end` becomes the read end for the
  // command; the caller closes it once the command has it.
  [[nodiscard]] static Result<InputStream> create(int source, bool moves_position, Fd& child_end);

  // Registers with `epoll`, which is borrowed. Pass the same one to move().
  [[nodiscard]] Result<void> connect(int epoll);

  // Moves the bytes that are ready, without waiting, in a bounded number of reads. `chunk` is a
  // buffer of `size` bytes, borrowed for the call. The caller need not block SIGPIPE.
  [[nodiscard]] Result<void> move(int epoll, char* chunk, std::size_t size);

  // Closes the pipe. The caller's next read continues where the command stopped reading, as far as
  // that is known.
  void finish();

 private:
  enum class Kind { regular, pipe, socket, other };
  enum class Watch { nothing, source, sink };

  InputStream(Kind kind, Fd source, Fd sink)
      : kind_(kind),
        source_(std::move(source)),
        sink_(std::move(sink)),
        always_ready_(kind == Kind::regular) {}

  [[nodiscard]] Result<void> move_tapped(int epoll, InputTap::Next next);
  [[nodiscard]] Result<void> move_pages(int epoll);
  [[nodiscard]] Result<void> end(int epoll);
  [[nodiscard]] bool fill(char* chunk, std::size_t size);
  [[nodiscard]] bool flush();
  [[nodiscard]] std::int64_t take(char* chunk, std::size_t size) const;
  [[nodiscard]] Result<void> watch(int epoll, Watch wanted);

  Kind kind_;
  Fd source_;
  Fd sink_;
  std::optional<InputTap> tap_;  // pipe, socket: while nothing is read ahead
  Fd unread_;                    // regular: a read end, to ask how much is left unread in the pipe
  std::int64_t start_ = 0;       // regular: the caller's position at the start
  std::int64_t taken_ = 0;       // read from the source
  std::string pending_;          // read, but not yet written to the pipe
  bool ended_ = false;           // the source is at its end, or the pipe has no reader
  bool has_large_pipe_ = false;  // pipe: 2 MiB have passed, so the pipe was grown
  bool always_ready_;            // epoll refuses the source: a regular file, some devices
  Watch watched_ = Watch::nothing;
};

}  // namespace bawn::linux_
