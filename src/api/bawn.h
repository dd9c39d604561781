// bawn as a library: one call runs one command in its sandbox and returns one outcome.
//
//   #include <bawn/bawn.h>
//   bawn::Request request{.command = "git", .args = {"status"}};
//   bawn::Outcome outcome =
//       bawn::run(*bawn::preset("agent"), request, {.workspace = "/srv/checkout"});
//
// May be called from any thread of any program, also concurrently. It installs no signal handler,
// keeps no global state, never exits, and leaves no descriptor behind. It leaves no process or file
// behind, with two exceptions: on Linux, an init that still waits for an unkillable process or
// deletes a large directory; on macOS, processes that cannot be found
// (backend/posix/process_tree.h). On Linux it does not fork the caller's memory.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outcome/outcome.h"
#include "plan/input_file.h"
#include "policy/policy.h"
#include "policy/policy_json.h"
#include "policy/preset.h"
#include "request/request.h"
#include "supervise/terminal_control.h"

namespace bawn {

// If a stdio file of the caller is a terminal, tier c gives the command a private pty instead and
// relays input and output. The caller's terminal is raw meanwhile; its modes are restored before
// run() returns.
enum class StdioMode {
  capture,         // stdout and stderr go into the outcome; stdin is the request's text, or empty
  capture_output,  // the same, but stdin is the caller's
  pass,            // stdin, stdout and stderr are the caller's; the output limit still applies
};

struct RunOptions {
  // The workspace, unless the policy names a root. "" is refused: a library must not use the
  // process's current directory.
  std::string workspace{};
  RequestSource source = RequestSource::model;
  StdioMode stdio = StdioMode::capture;
  // Borrowed. Readable means: stop the run. On Windows, the handle of an event. -1: cannot be
  // cancelled.
  int cancel_fd = -1;
  // Job control for a run on the caller's terminal. Without it, the command gets no SIGWINCH, and
  // bawn continues a stopped command at once. With it, bawn and the command can both be stopped;
  // the wall-time limit counts on.
  TerminalControl terminal{};
  // The caller's environment, from which the policy's `pass` list is taken. Empty: std::getenv.
  std::function<std::optional<std::string>(std::string_view)> caller_env{};
  // The files that were read to make this policy. If the command could change one, it is protected
  // during the run, or the run is refused.
  std::vector<InputFile> inputs{};
  // Called before the command starts, with a line for the user. May be empty.
  std::function<void(std::string_view)> notice{};
  // Report the duration of each step in the outcome.
  bool timing = false;
  // Called with one line per decision, never with a secret. May be empty.
  std::function<void(std::string_view)> log{};
};

// Validates, plans, launches and supervises. Never throws because of anything that the command or
// the host does; failures are in the outcome.
[[nodiscard]] Outcome run(const Policy& policy, Request request, const RunOptions& options);

// Result of check(): every violation, and what was repaired in the request.
struct Checked {
  Violations violations;
  std::vector<std::string> repairs;
  std::optional<Tier> tier;  // the tier it would run in
  // The host could not be examined; the only violation says what it was short of.
  bool failed = false;
  [[nodiscard]] bool allowed() const { return violations.empty(); }
};
// Validates and plans as run() does, and starts nothing.
[[nodiscard]] Checked check(const Policy& policy, Request request, const RunOptions& options);

}  // namespace bawn
