// The outcome: everything a caller learns about a run, and its JSON form.
//
// A non-zero exit code is a normal result and not an error. A run that was cut short keeps the
// output it had produced. `enforcement` is the receipt: it lists what was really in force, with
// evidence that was read back from inside the sandbox. Plain values: they own their contents and
// have no thread rule.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outcome/evidence.h"
#include "policy/tier.h"
#include "validate/violation.h"

namespace bawn {

enum class Status {
  exited,
  signaled,
  timed_out,
  quota_exceeded,
  denied,
  failed,
  cancelled,
  running
};

enum class FailureKind {
  disabled,
  unsupported_platform,
  cancelled,
  invalid_input,
  workspace_scope_denied,
  egress_denied,
  quota_exceeded,
  timed_out,
  spawn_failed,
  runtime_failure,
};

struct Failure {
  FailureKind kind = FailureKind::runtime_failure;
  std::string message;
  std::string step;  // the launch step that failed; "" if the failure was not in a step
  std::string hint;
  bool operator==(const Failure&) const = default;
};

// `partial`: in force, but something that the layer should cover escapes it; the evidence says
// what.
enum class LayerState { enforced, partial, absent, not_requested };

// One line of the receipt: a protection, whether it was in force, and the evidence.
struct Enforcement {
  std::string layer;  // "no_new_privs", "landlock", "limit.memory"
  LayerState state = LayerState::absent;
  Evidence evidence;  // what was read back, what escapes it, or why it is absent
  bool operator==(const Enforcement&) const = default;
};

struct Usage {
  std::uint64_t cpu_user_ms = 0;
  std::uint64_t cpu_system_ms = 0;
  std::uint64_t max_rss_bytes = 0;
  bool operator==(const Usage&) const = default;
};

// One step between the caller's request and the finished outcome.
struct TimedStep {
  std::string step;      // "probe", "clone", a step of init, "command", "tree_gone", "outcome"
  std::uint64_t ns = 0;  // since the end of the previous step
  bool operator==(const TimedStep&) const = default;
};

enum class Encoding { utf8, base64 };

// One captured stream in an outcome: text if it is UTF-8, else base64.
struct CapturedStream {
  std::string data;
  Encoding encoding = Encoding::utf8;
  std::uint64_t bytes = 0;  // what the command wrote, before redaction and truncation
  bool operator==(const CapturedStream&) const = default;
};

enum class HandoffChange { is_new, changed, not_looked_at };

// A file that other programs obey, which the command has written.
struct Handoff {
  std::string path;       // relative to the workspace, or absolute
  std::string key;        // of a configuration; "" if the file as a whole is meant
  std::string obeyed_by;  // "git"; "" if it was not looked at
  std::string effect;     // "runs commands", or why it was not looked at
  HandoffChange change = HandoffChange::is_new;
  bool operator==(const Handoff&) const = default;
};

struct Outcome {
  std::string run_id;
  Status status = Status::failed;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::optional<Failure> error;
  // The limit that ended the run: "wall_time", "cpu_time", "output", "memory", "file_size". For a
  // command that exited by itself and failed, the limit that had refused it something: "processes",
  // "memory", "tmp". Otherwise "". It is also "" if a limit may have been reached but there is no
  // proof; `error` then says so.
  std::string limit;
  // For people: what to type to raise a limit that refused something to a command that failed by
  // itself. Not in the JSON form; of a run that a limit ended, `error` has the hint.
  std::string limit_hint;
  CapturedStream stdout_stream;
  CapturedStream stderr_stream;
  bool truncated = false;
  std::map<std::string, std::uint64_t> redactions;  // kind -> how many
  std::uint64_t duration_ms = 0;
  Usage usage;
  std::optional<Tier> tier;  // empty if nothing was launched
  std::string executor;      // "linux.init", ...
  bool was_sandboxed = false;
  std::vector<Enforcement> enforcement;
  Violations violations;
  // Empty optional if bawn has not looked: nothing ran, the policy does not ask, or on Windows.
  std::optional<std::vector<Handoff>> handoff{};
  std::vector<std::string> repairs;  // what was repaired in the request
  std::vector<TimedStep> timing;     // by time; empty unless the caller asked for it

  [[nodiscard]] bool success() const { return status == Status::exited && exit_code == 0; }
  bool operator==(const Outcome&) const = default;
};

[[nodiscard]] std::string_view to_string(Status status);
[[nodiscard]] std::string_view to_string(FailureKind kind);
[[nodiscard]] std::string_view to_string(LayerState state);
[[nodiscard]] std::string_view to_string(HandoffChange change);

// One line of JSON without a newline at the end. It is valid UTF-8 whatever the outcome holds. A
// top-level field without a value (`exit_code`, `limit`, `tier`, an empty `run_id`, ...) is null;
// the strings inside `error` and the lists are never null. `timing` is present only if it is not
// empty.
[[nodiscard]] std::string outcome_json(const Outcome& outcome);

// The exit code of `bawn run`:
//   exited          the command's exit code, unchanged
//   signaled        128+N for signal N
//   timed_out,      124 for the wall-time limit; 137 (128+SIGKILL) for every other limit, whatever
//   quota_exceeded  signal ended the run, so that a script needs only these two numbers
//   denied          126; 127 if every violation is that the program was not found
//   failed          125, never 1
//   cancelled       128+N if signal N ended the run, else 130 as after Ctrl-C
//   running         0
[[nodiscard]] int exit_code_of(const Outcome& outcome);

}  // namespace bawn
