// A pseudo-terminal with an interactive shell on it. The test types and reads as a person would.
//
// The shell is bash with job control, without line editing, prompt and echo, so that only the
// output of programs appears. `$BAWN` is the path of bawn, `$GUEST` that of the guest. Nothing here
// sleeps: every wait is for text to appear. A wait that takes longer than kPatience fails the test,
// and later waits then return at once.
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

// Owns the master side and the shell. Use it from one thread.
class ShellTerminal {
 public:
  // Starts the shell in the caller's workspace and waits until it answers.
  explicit ShellTerminal(const Caller& caller);
  // Hangs up, then kills and reaps the shell.
  ~ShellTerminal();
  ShellTerminal(const ShellTerminal&) = delete;
  ShellTerminal& operator=(const ShellTerminal&) = delete;

  // Writes these bytes to the terminal. Throws if the terminal takes no more.
  void type(std::string_view keys) const;
  void type_line(std::string_view line) const;

  // Reads until `text` appears and drops everything up to its end. If it does not appear, fails the
  // test and returns false.
  bool wait_for(std::string_view text);
  // The same; returns what came before `text`.
  std::string read_until(std::string_view text);

  void resize(unsigned short rows, unsigned short columns) const;
  [[nodiscard]] termios modes() const;
  void set_echo() const;
  // Closes the master side, as when a terminal window is closed.
  void hang_up();

  // The terminal's path on the host, as /dev/pts/3.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  Fd master_;
  pid_t shell_ = -1;
  std::string seen_;
};

[[nodiscard]] bool same_modes(const termios& left, const termios& right);

}  // namespace bawn
