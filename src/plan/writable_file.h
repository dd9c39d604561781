// Whether a run's command may write to a file of the host by a name of its own.
#pragma once

#include <string_view>

#include "plan/plan.h"

namespace bawn {

// `path` is canonical and the host's. Answers for mounts and Landlock; the file's own mode is not
// looked at.
[[nodiscard]] bool may_write(const Plan& plan, std::string_view path);

}  // namespace bawn
