// What the caller of run() and check() chooses beside policy and request: workspace, stdio, and the
// functions that are told.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/input_file.h"
#include "request/request.h"
#include "supervise/job_control.h"

namespace bawn {

// If a stdio file of the caller is a terminal, tier c gives the command a private pty instead and
// relays input and output. The caller's terminal is raw meanwhile; its modes are restored before
// run() returns.
enum class StdioMode {
  capture,         // stdout and stderr go into the outcome; stdin is the request's text, or empty
  capture_output,  // the same, but stdin is the caller's
  pass,            // stdin, stdout and stderr are the caller's; the output limit still applies
};

enum class Stream { out, err };  // output on a private terminal is `out`

struct RunOptions {
  // The workspace, unless the policy names a root. "" is refused: a library must not use the
  // process's current directory.
  std::string workspace{};
  RequestSource source = RequestSource::model;
  StdioMode stdio = StdioMode::capture;
  // In mode `capture`: stdin is a pipe that Run::write_input() fills.
  bool input_pipe = false;
  // In the modes that capture: called with redacted output as it comes, in the thread that steps
  // the run. The outcome then has its size and not its text. May be empty.
  std::function<void(Stream, std::string_view)> on_output{};
  // The same, written to files: regular files or pipes with a reader that never waits long.
  // Borrowed; -1: none. A write that fails is reported as a failed run.
  int stdout_log = -1;
  int stderr_log = -1;
  // For a run on the caller's terminal, with Run::job_signal(): if the command stops, this stops
  // the caller too. The wall-time limit counts on. Empty: a stopped command is continued at once,
  // or hung up if it was stopped because it wanted the terminal.
  SuspendProcess suspend{};
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

}  // namespace bawn
