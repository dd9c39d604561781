// A terminal with an interactive shell on it, and somebody who types and reads there.
//
// The shell is bash with job control and without line editing, prompt and echo, so that what
// appears on the terminal is what programs print. `$BAWN` names the real program. Nothing here
// sleeps: every wait is for text to appear, and one that does not come within kPatience fails the
// test.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <string>
#include <string_view>

#include "caller.h"

namespace bawn {

inline constexpr std::string_view kCtrlC = "\x03";
inline constexpr std::string_view kCtrlD = "\x04";
inline constexpr std::string_view kCtrlZ = "\x1a";

class ShellTerminal {
 public:
  // The shell starts in the caller's workspace.
  explicit ShellTerminal(const Caller& caller);
  // Hangs up and kills what is left of the shell.
  ~ShellTerminal();
  ShellTerminal(const ShellTerminal&) = delete;
  ShellTerminal& operator=(const ShellTerminal&) = delete;

  void type(std::string_view keys) const;
  void type_line(std::string_view line) const;

  // Reads until `text` appears and forgets everything up to its end; false, and a failed test, if
  // it does not.
  bool wait_for(std::string_view text);
  // The same; what came before `text`.
  std::string read_until(std::string_view text);

  void resize(unsigned short rows, unsigned short columns) const;
  [[nodiscard]] termios modes() const;
  void set_echo() const;
  // The terminal is gone, as when its window is closed.
  void hang_up();

  // Its name on the host.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  Fd master_;
  pid_t shell_ = -1;
  std::string seen_;
};

[[nodiscard]] bool same_modes(const termios& left, const termios& right);

}  // namespace bawn
