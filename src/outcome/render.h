// An outcome for a person at a terminal: a few lines on why the command did not run or did not
// finish.
//
//   bawn: denied: 'curl' is not on the allow list
//     hint: add it to executables.allow
//   bawn: stopped: the wall-time limit was reached after 30.0 s
//   bawn: changed: the command created '/work/.envrc', which the policy protects
//     hint: look at it before any other program does, or remove it
//
// Nothing for a command that ended by itself, whatever its exit code: its own output says what
// there is to say. Except that it cannot know which limit had refused it something before it failed
// or why it got a signal, and would not tell what of the protected it has made.
#pragma once

#include <string>
#include <string_view>

#include "outcome/outcome.h"

namespace bawn {

enum class Colour { off, on };

// What a violation is called on a terminal: "not found" or "cannot execute" of a program that could
// not have run under any policy, else "denied".
[[nodiscard]] std::string_view verdict_of(const Violation& violation);

// Lines that end in a newline, or "". No byte of the outcome can reach the terminal as a control
// sequence.
[[nodiscard]] std::string render_denial(const Outcome& outcome, Colour colour);

// A line for each step with its nanoseconds and the sum below, or "" if nobody asked for them.
[[nodiscard]] std::string render_timing(const Outcome& outcome);

}  // namespace bawn
