// The caller's stdin on its way into a pipe that is the command's. Part of the pump; see
// linux/pump.h.
//
// For a file that the command must not hold itself. Of a regular file the caller's position is put
// where the command stopped reading. Of a pipe or a socket nothing is taken that the command has
// not read, until it has read a lot (linux/input_tap.h); from then on, and of anything else, it
// reads ahead by as much as the command's pipe takes, and that is gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "linux/input_tap.h"
#include "sys/fd.h"

namespace bawn {

class InputStream {
 public:
  // `source` is the caller's, borrowed for this call only. `moves_position`: in a regular file,
  // when all is over. `child_end` becomes what the command reads from.
  [[nodiscard]] static Result<InputStream> create(int source, bool moves_position, Fd& child_end);

  // Begins to wait for what is needed in `epoll`, which is borrowed by every later call too.
  [[nodiscard]] Result<void> connect(int epoll);

  // Moves what is ready, without waiting, in a bounded number of steps.
  [[nodiscard]] Result<void> move(int epoll, char* chunk, std::size_t size);

  // Closes the pipe. The caller's file goes on where the command stopped reading, as far as that is
  // known.
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
  Fd unread_;               // regular: a read end, to ask how much the command has left in the pipe
  std::int64_t start_ = 0;  // regular: where the caller's file stood
  std::int64_t taken_ = 0;  // read from the source
  std::string pending_;     // read, but not yet taken by the pipe
  bool ended_ = false;      // the source has no more, or the pipe no reader
  bool has_large_pipe_ = false;  // pipe: the command has read a lot
  bool always_ready_;            // the source cannot be waited for: a regular file, some devices
  Watch watched_ = Watch::nothing;
};

}  // namespace bawn
