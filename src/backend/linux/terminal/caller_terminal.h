// The terminal that bawn was started on: its size, and its modes while a run uses it.
//
// A taken terminal is in raw mode: every key goes to the command's private terminal, whose line
// discipline turns keys into signals, echo and lines. give_back() or the destructor, whichever
// comes first, restores the saved modes; both leave the modes alone while another process group is
// in the foreground. One thread at a time. Linux.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/linux/wire/messages.h"
#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class CallerTerminal {
 public:
  // Looks at descriptors 0 to `count`-1. Bit i of the result is set if descriptor i is open on the
  // same terminal as the first of them that is a terminal. 0: none of them is a terminal.
  [[nodiscard]] static std::uint32_t stdio(int count);

  // `files` comes from stdio() and is not 0. Opens the terminal again through /proc where the
  // kernel permits it: O_NONBLOCK on the new open file description then changes nothing for other
  // processes. Otherwise duplicates a descriptor that is open for reading and writing. An error if
  // there is none.
  [[nodiscard]] static Result<CallerTerminal> open(std::uint32_t files);

  CallerTerminal(CallerTerminal&&) = default;
  CallerTerminal& operator=(CallerTerminal&&) = delete;
  ~CallerTerminal() { give_back(); }

  // Borrowed; valid as long as this object.
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] init::WindowSize size() const;
  [[nodiscard]] std::optional<init::TerminalModes> modes() const;

  // Whether this process can read the terminal and change its modes without being stopped by
  // SIGTTIN or SIGTTOU: it is in the foreground, or this is not its controlling terminal.
  [[nodiscard]] bool is_ours() const;

  // Switches to raw mode. A second call sets raw mode again if another process has changed the
  // modes; give_back() still restores the modes from before the first call.
  [[nodiscard]] Result<void> take();
  void give_back();
  [[nodiscard]] bool taken() const { return before_.has_value(); }
  // Forgets the saved modes: another process has the terminal now and has set its modes.
  void lose() { before_.reset(); }

 private:
  explicit CallerTerminal(Fd fd) : fd_(std::move(fd)) {}

  Fd fd_;
  std::optional<init::TerminalModes> before_;
};

}  // namespace bawn::linux_
