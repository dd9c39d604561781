// Answers of a run that did not come about, in the words of every system.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

// bawn or the host could not do it, and nothing ran.
[[nodiscard]] Outcome not_started(const Error& error);

// For a caller that only asks whether a request would be let through: the host could not be asked,
// and a run would fail.
[[nodiscard]] Violation unplanned(const Error& error, std::string_view hint);

// The system itself says that the file is no program: the caller's mistake, not bawn's failure.
[[nodiscard]] Outcome not_executable(const Plan& plan, const std::string& reason, std::string hint);

// bawn could not look after a run that it had started.
[[nodiscard]] Outcome given_up(const Error& error);

}  // namespace bawn
