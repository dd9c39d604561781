// The terminal that bawn itself was started on: its size, and its modes while a run has it.
//
// While taken it is raw: every key goes to the command's own terminal, which makes signals, echo
// and lines of them. The modes from before come back with give_back() or the destructor, whichever
// is first.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "linux/init/messages.h"
#include "sys/fd.h"

namespace bawn {

class CallerTerminal {
 public:
  // Which of the files 0 to `count`-1 are a terminal, the same for all: bit i for file i. 0 if the
  // first one that is open on a terminal is none of them.
  [[nodiscard]] static std::uint32_t stdio(int count);

  // `files` as from stdio(), not 0. The terminal is opened anew where that is permitted, so that
  // reading without waiting changes nothing for the others who have it open.
  [[nodiscard]] static Result<CallerTerminal> open(std::uint32_t files);

  CallerTerminal(CallerTerminal&&) = default;
  CallerTerminal& operator=(CallerTerminal&&) = delete;
  ~CallerTerminal() { give_back(); }

  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] init::WindowSize size() const;
  [[nodiscard]] std::optional<init::TerminalModes> modes() const;

  // Whether this process may read from it and change it without being stopped for it.
  [[nodiscard]] bool is_ours() const;

  // Raw from here on. Does it again if somebody has changed the modes meanwhile; what comes back
  // stays what it was before the first time.
  [[nodiscard]] Result<void> take();
  void give_back();
  [[nodiscard]] bool taken() const { return before_.has_value(); }
  // Somebody else has it now and has made of its modes what he wants.
  void lose() { before_.reset(); }

 private:
  explicit CallerTerminal(Fd fd) : fd_(std::move(fd)) {}

  Fd fd_;
  std::optional<init::TerminalModes> before_;
};

}  // namespace bawn
