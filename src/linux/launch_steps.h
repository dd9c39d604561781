// The keeper's steps in words: what a failed one was doing and what usually helps.
#pragma once

#include <string>

#include "linux/keeper/program.h"

namespace bawn {

struct StepWords {
  std::string_view name;  // stable: "no_new_privs"
  std::string_view what;  // "give up new privileges"
  std::string_view hint;
};

[[nodiscard]] const StepWords& step_words(keeper::Step step);

}  // namespace bawn
