// An outcome for a person at a terminal: a few lines on why the command did not run or did not
// finish.
//
//   bawn: denied: 'curl' is not on the allow list
//     hint: add it to executables.allow
//   bawn: stopped: the wall-time limit was reached after 30.0 s
//   bawn: changed: the command created '/work/.envrc', which the policy protects
//     hint: look at it before any other program does, or remove it
//
// A command that ended by itself gets no line, whatever its exit code: its output explains the
// result. There are three exceptions, which the command cannot know or would not tell: the limit
// that refused it something before it failed, the reason for a signal, and protected paths that it
// has changed.
#pragma once

#include <string>
#include <string_view>

#include "outcome/outcome.h"

namespace bawn {

enum class Colour { off, on };

// What a violation is called on a terminal: "not found" or "cannot execute" of a program that could
// not have run under any policy, else "denied".
[[nodiscard]] std::string_view verdict_of(const Violation& violation);

// Lines that each end in a newline, or "". Every text of the outcome is made visible first, so none
// of it can reach the terminal as a control sequence.
[[nodiscard]] std::string render_denial(const Outcome& outcome, Colour colour);

// One line for each step with its nanoseconds, then the sum; "" if the outcome has no timing.
[[nodiscard]] std::string render_timing(const Outcome& outcome);

// One line that names the files of `handoff`; "" if there is none.
[[nodiscard]] std::string render_handoff(const Outcome& outcome);

// The receipt: one line for each layer with its state and its evidence as prose. If nothing was in
// force, because nothing ran, it says so.
[[nodiscard]] std::string render_receipt(const Outcome& outcome);

}  // namespace bawn
