// A run on the caller's terminal, seen from bawn: keys on their way in, window sizes, and the
// foreground.
//
//   outer shell -- controls --> caller's terminal -- keys --> TerminalSession
//   TerminalSession -- keys --> private terminal -- signals --> command
//
// The command's output comes back through the pump. Ctrl-C and Ctrl-Z are ordinary keys: the line
// discipline of the private terminal raises the signals inside. When the command stops, bawn gives
// the caller's terminal back and stops too, so that the outer shell sees a stopped job. When the
// job is continued, so is the command.
//
// In a pipeline or in the background, other processes use the terminal too: nothing is taken from
// it before the command asks. The command asks by being stopped (SIGTTIN, SIGTTOU), because it
// starts in the background of its private terminal. A command that is pid 1 cannot be stopped, so
// bawn stops alone. Such a command has the terminal from the start if bawn has it, and whenever
// bawn is continued in the foreground. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/linux/terminal/caller_terminal.h"
#include "backend/linux/wire/messages.h"
#include "base/result.h"
#include "plan/plan.h"
#include "supervise/job_control.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class TerminalSession {
 public:
  // `plan` says which of 0, 1 and 2 are the caller's terminal, as from CallerTerminal::stdio(), and
  // whether the command leads the session of the private one. `suspend` is borrowed, and may be
  // empty.
  [[nodiscard]] static Result<TerminalSession> open(const TerminalPlan& plan,
                                                    const SuspendProcess& suspend);

  // The terminal that init must make. The command's files on it are those of open().
  [[nodiscard]] init::TerminalOrder order() const;

  // The descriptor for the command's output. Borrowed; valid as long as the session.
  [[nodiscard]] int output_fd() const { return terminal_.fd(); }

  // Call it when the command runs. `master` is the master side of its terminal; the pump reads from
  // a duplicate of it.
  [[nodiscard]] Result<void> connect(Fd master);

  // Readable while there is work for step(). Borrowed.
  [[nodiscard]] int poll_fd() const { return epoll_.get(); }

  // Does the work that is ready, without waiting.
  [[nodiscard]] Result<void> step();

  // Returns the code to send to init, if there is one. This process may have been stopped and
  // continued in between.
  [[nodiscard]] Result<std::optional<init::ControlCode>> take_signal(JobSignal signal);

  // The command was stopped by `signal`. Returns the code with which it continues. This process may
  // have been stopped and continued in between.
  [[nodiscard]] Result<init::ControlCode> follow_stop(int signal);

  // The command's output has no reader any more: hangs up its terminal.
  [[nodiscard]] Result<void> hang_up();

 private:
  enum class Watch { nothing, keys, master };

  TerminalSession(CallerTerminal terminal, const SuspendProcess& suspend, const TerminalPlan& plan);

  [[nodiscard]] Result<void> watch_what_is_needed();
  [[nodiscard]] Result<void> watch(Watch wanted);
  void read_keys();
  void write_keys();
  [[nodiscard]] Result<std::optional<init::ControlCode>> stop();
  [[nodiscard]] Result<std::optional<init::ControlCode>> continued();
  void resize() const;

  CallerTerminal terminal_;
  const SuspendProcess* suspend_;
  TerminalPlan plan_;
  bool wanted_;          // the command gets the terminal whenever bawn has it
  bool starts_with_it_;  // the command has it from the start
  Fd epoll_;
  Fd master_;
  std::string keys_;  // read, but not yet written to the private terminal
  bool no_more_keys_ = false;
  Watch watched_ = Watch::nothing;
};

}  // namespace bawn::linux_
