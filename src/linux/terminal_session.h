// A run on the caller's terminal, seen from bawn: keys on their way in, sizes, and who is in the
// foreground.
//
//   outer shell -- controls --> caller's terminal -- keys --> TerminalSession
//   TerminalSession -- keys --> private terminal -- signals --> command
//
// What the command prints comes back through the pump. Ctrl-C and Ctrl-Z are keys like any other:
// the private terminal's own line discipline raises the signals inside. When the command stops,
// bawn gives its terminal back and stops too, so that the outer shell sees a stopped job; when that
// is continued, so is the command.
//
// In a pipeline, or in the background, others use the terminal as well: nothing is taken from it
// before the command asks. It asks by being stopped (SIGTTIN, SIGTTOU), because it starts in the
// background of its private terminal. A command that is process 1 cannot be stopped, so bawn stops
// without it; it has the terminal from the start if bawn has, and whenever bawn is continued in the
// foreground.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "linux/caller_terminal.h"
#include "linux/init/messages.h"
#include "plan/plan.h"
#include "supervise/terminal_control.h"
#include "sys/fd.h"

namespace bawn {

class TerminalSession {
 public:
  // `plan`: which of 0, 1 and 2 are the caller's terminal, as from CallerTerminal::stdio(), and who
  // leads the private one. `control` is borrowed.
  [[nodiscard]] static Result<TerminalSession> open(const TerminalPlan& plan,
                                                    const TerminalControl& control);

  // What init must make. The command's files are those of open().
  [[nodiscard]] init::TerminalOrder order() const;

  // Where the command's output belongs; valid as long as the session.
  [[nodiscard]] int output_fd() const { return terminal_.fd(); }

  // The command runs. `master` is the other side of its terminal; the pump reads from another copy.
  [[nodiscard]] Result<void> connect(Fd master);

  // Readable while there is something for step() to do.
  [[nodiscard]] int poll_fd() const { return epoll_.get(); }

  // Handles what is ready, without waiting; what init must be told, in this order.
  [[nodiscard]] Result<std::vector<init::ControlCode>> step();

  // The command was stopped by `signal`. Returns when it is to go on: this process may have been
  // stopped in between.
  [[nodiscard]] Result<init::ControlCode> follow_stop(int signal);

  // Nobody takes the command's output any more: its terminal hangs up.
  [[nodiscard]] Result<void> hang_up();

 private:
  enum class Watch { nothing, keys, master };

  TerminalSession(CallerTerminal terminal, const TerminalControl& control,
                  const TerminalPlan& plan);

  [[nodiscard]] Result<void> watch_what_is_needed();
  [[nodiscard]] Result<void> watch(Watch wanted);
  void read_keys();
  void write_keys();
  [[nodiscard]] Result<void> take_signals(std::vector<init::ControlCode>& codes);
  [[nodiscard]] Result<void> suspend(std::vector<init::ControlCode>& codes);
  [[nodiscard]] Result<void> continued(std::vector<init::ControlCode>& codes);
  void resize() const;

  CallerTerminal terminal_;
  const TerminalControl* control_;
  TerminalPlan plan_;
  bool wanted_;          // the command is to have the terminal whenever it is ours
  bool starts_with_it_;  // from the beginning
  Fd epoll_;
  Fd master_;
  std::string keys_;  // read, but not yet taken by the private terminal
  bool no_more_keys_ = false;
  Watch watched_ = Watch::nothing;
};

}  // namespace bawn
