// bawn as a library: one call runs one command inside its sandbox and returns one honest record.
//
//   #include <bawn.h>
//   bawn::Request request{.command = "git", .args = {"status"}};
//   bawn::Outcome outcome =
//       bawn::run(*bawn::preset("agent"), request, {.workspace = "/srv/checkout"});
//
// May be called from any thread of any program, many times at once. It installs no signal handler,
// keeps no global state, never forks the caller's memory, never exits, and leaves no process, file
// or descriptor behind.
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

enum class StdioMode {
  capture,         // stdout and stderr go into the outcome; stdin is the request's text, or empty
  capture_output,  // the same, but stdin is the caller's own
  pass,  // stdin, stdout and stderr are the caller's own, the latter within the output limit
};
// Where "the caller's own" is a terminal, tier c gives the command a private one instead and passes
// on what is typed and printed; the caller's is raw meanwhile and has its modes back when run()
// returns.

struct RunOptions {
  // Where the command works, unless the policy names a root. "" is refused: a library has no
  // current directory to lend.
  std::string workspace{};
  RequestSource source = RequestSource::model;
  StdioMode stdio = StdioMode::capture;
  // Readable means: stop the run. On Windows the handle of an event, which is signalled then.
  // Borrowed; -1 if nobody will ask.
  int cancel_fd = -1;
  // Job control for a run on the caller's terminal. Without it, the command is not told of a new
  // window size, and goes on when it is stopped. The wall-time limit counts on while both are
  // stopped.
  TerminalControl terminal{};
  // The environment that the policy's `pass` list is taken from. Empty: std::getenv.
  std::function<std::optional<std::string>(std::string_view)> caller_env{};
  // The files that were read to come to this policy. One that the command could change is protected
  // for the run, or the run is refused.
  std::vector<InputFile> inputs{};
  // Called before the command starts, with a line for the person who waits for it. May be empty.
  std::function<void(std::string_view)> notice{};
  // Whether the outcome tells how long each step took.
  bool timing = false;
  // Called with one line per decision; never with a secret. Empty: nobody wants to know.
  std::function<void(std::string_view)> log{};
};

// Validates, plans, launches, supervises. Never throws for anything the command or the host does.
[[nodiscard]] Outcome run(const Policy& policy, Request request, const RunOptions& options);

// The same without running anything: every violation, and what was repaired in the request.
struct Checked {
  Violations violations;
  std::vector<std::string> repairs;
  std::optional<Tier> tier;  // the one it would run in
  bool failed = false;  // the host could not be asked; the one violation says what it was short of
  [[nodiscard]] bool allowed() const { return violations.empty(); }
};
[[nodiscard]] Checked check(const Policy& policy, Request request, const RunOptions& options);

}  // namespace bawn
