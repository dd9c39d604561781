// The routes of stdin, stdout and stderr of one run, decided from facts about the caller's files.
//
// Pure. backend/linux/stdio/stdio_file.h finds the facts, backend/linux/stdio/run_stdio.h opens
// what the routes need.
#pragma once

#include <array>

#include "base/result.h"
#include "plan/plan.h"
#include "plan/stdio_route.h"

namespace bawn {

// The caller's files, as far as the run uses them. Indexed by descriptor number.
struct CallerStdio {
  std::array<StdioFacts, 3> files{};
  std::array<bool, 3> is_stdin{};  // the same open file description as stdin
  bool outputs_share_an_end = false;
};

// How the caller wants the command's files, besides the plan.
struct StdioWish {
  bool input_is_callers = false;
  bool outputs_are_callers = false;
  bool input_is_pipe = false;  // that the caller fills
  bool input_is_text = false;  // the request's
  bool init_opens_files = true;
};

// Whether the run uses the caller's descriptor. A private terminal stands for some of them.
[[nodiscard]] bool uses_callers(int fd, const StdioWish& wish, const TerminalPlan& terminal);

// The error names the file that cannot be given to the command, and the accepted kinds.
[[nodiscard]] Result<StdioPlan> plan_stdio(const Plan& plan, const StdioWish& wish,
                                           CallerStdio callers);

}  // namespace bawn
