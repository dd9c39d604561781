// Describes init's steps for people: what a failed step was doing, and what usually helps.
//
// Pure tables and functions. The strings live as long as the program.
#pragma once

#include <string_view>

#include "backend/linux/wire/messages.h"
#include "base/stopwatch.h"

namespace bawn::linux_ {

struct StepDescription {
  std::string_view name;  // stable, part of the outcome: "no_new_privs"
  std::string_view what;  // follows "could not": "set no_new_privs"
  std::string_view hint;
};

// A number that is no step gets the description of Step::none.
[[nodiscard]] const StepDescription& describe_step(init::Step step);

// The hint for this step and errno. A step's own hint is about files, users and limits. It is
// replaced if the kernel lacks a call, the host is short of something, the run's tmpfs is full, or
// a directory may not be entered.
[[nodiscard]] std::string_view step_hint(init::Step step, int error);

// Adds the time at which each step ended to the stopwatch. Adds nothing if init was not asked for
// times.
void add_init_steps(const init::Report& report, Stopwatch& stopwatch);

}  // namespace bawn::linux_
