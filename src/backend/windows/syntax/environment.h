// Converts the environment that the validator built into the one that Windows programs expect.
//
// Portable PATH, HOME and TMPDIR become PATH, USERPROFILE and TEMP with native paths. A few system
// variables, without which hardly any program starts, are taken from the caller whatever a request
// says: they tell where Windows is and hold no secret.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::windows {

using CallerVariable = std::function<std::optional<std::string>(std::string_view name)>;

// "KEY=value", sorted by name without case, as Windows requires. Names that differ only in case are
// one variable; the first entry wins.
[[nodiscard]] std::vector<std::string> native_environment(std::span<const std::string> portable,
                                                          const CallerVariable& caller);

}  // namespace bawn::windows
