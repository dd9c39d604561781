#include "backend/linux/terminal/caller_terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

// The device number of the terminal, the same for every name it was opened by: /dev/tty has a
// device number of its own. 0 if `fd` is no terminal.
unsigned terminal_number(int fd) {
  unsigned number = 0;
  return ioctl(fd, TIOCGDEV, &number) == 0 ? number : 0;
}

Fd open_anew(int fd) {
  auto copy =
      sys::open(concat("/proc/thread-self/fd/", fd).c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY);
  if (!copy || terminal_number(copy.value().get()) != terminal_number(fd)) return Fd();
  return std::move(copy).value();
}

bool reads_and_writes(int fd) { return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR; }

init::TerminalModes raw(init::TerminalModes modes) {
  modes.input &=
      ~static_cast<std::uint32_t>(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  modes.output &= ~static_cast<std::uint32_t>(OPOST);
  modes.local &= ~static_cast<std::uint32_t>(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  modes.control = (modes.control & ~static_cast<std::uint32_t>(CSIZE | PARENB)) | CS8;
  // With VMIN and VTIME 0 a read never waits, even on an open file description that other processes
  // share and that must stay blocking for them.
  modes.characters[VMIN] = 0;
  modes.characters[VTIME] = 0;
  return modes;
}

}  // namespace

std::uint32_t CallerTerminal::stdio(int count) {
  std::uint32_t files = 0;
  unsigned first = 0;
  for (int fd = 0; fd < count; ++fd) {
    const unsigned number = terminal_number(fd);
    if (first == 0) first = number;
    if (number != 0 && number == first) files |= 1U << static_cast<unsigned>(fd);
  }
  return files;
}

Result<CallerTerminal> CallerTerminal::open(std::uint32_t files) {
  for (int fd = 0; fd < 3; ++fd) {
    if ((files & 1U << static_cast<unsigned>(fd)) == 0) continue;
    if (Fd copy = open_anew(fd)) return CallerTerminal(std::move(copy));
    if (!reads_and_writes(fd)) continue;
    BAWN_ASSIGN(Fd same, sys::duplicate(fd));
    return CallerTerminal(std::move(same));
  }
  return invalid_error(
      "the terminal cannot be opened for reading and writing; redirect stdin, stdout and stderr "
      "elsewhere");
}

init::WindowSize CallerTerminal::size() const {
  init::WindowSize size{};
  ioctl(fd_.get(), TIOCGWINSZ, &size);
  return size;
}

std::optional<init::TerminalModes> CallerTerminal::modes() const {
  init::TerminalModes modes{};
  if (ioctl(fd_.get(), TCGETS, &modes) != 0) return std::nullopt;
  return modes;
}

bool CallerTerminal::is_ours() const {
  const pid_t foreground = tcgetpgrp(fd_.get());
  // -1: this is not our controlling terminal, so it cannot stop us.
  return foreground == -1 || foreground == getpgrp();
}

Result<void> CallerTerminal::take() {
  const auto now = modes();
  if (!now) return system_error(errno, "read the terminal's modes");
  if (!before_) before_ = now;
  const init::TerminalModes wanted = raw(*before_);
  const auto set =
      sys::checked("make the terminal raw", [&] { return ioctl(fd_.get(), TCSETS, &wanted); });
  if (!set) return set.error();
  return {};
}

void CallerTerminal::give_back() {
  if (!before_ || !fd_) return;
  // In the background TCSETS would stop us, and the foreground process has set the modes it wants.
  if (is_ours()) sys::retried([&] { return ioctl(fd_.get(), TCSETS, &*before_); });
  before_.reset();
}

}  // namespace bawn::linux_
