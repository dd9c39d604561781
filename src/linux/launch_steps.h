// Init's steps in words: what a failed one was doing and what usually helps.
#pragma once

#include <string_view>

#include "base/stopwatch.h"
#include "linux/init/messages.h"

namespace bawn {

struct StepDescription {
  std::string_view name;  // stable: "no_new_privs"
  std::string_view what;  // "set no_new_privs"
  std::string_view hint;
};

[[nodiscard]] const StepDescription& describe_step(init::Step step);

// What helps after this error: the step's own hint is about files, users and limits, and no help
// where a call is missing, the host is short of something, the run's own space is used up or a
// directory may not be entered.
[[nodiscard]] std::string_view step_hint(init::Step step, int error);

// When each step of the report ended, as far as it was taken; nothing if nobody asked init for it.
void add_init_steps(const init::Report& report, Stopwatch& stopwatch);

}  // namespace bawn
