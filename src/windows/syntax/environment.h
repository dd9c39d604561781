// The environment of a command as Windows programs expect it, from the one that the validator
// built.
//
// PATH, HOME and TMPDIR are portable there; here they are PATH, USERPROFILE and TEMP with native
// paths. A few names of the system itself, without which hardly a program starts, are taken from
// the caller, whatever a request says: they tell where Windows is and hold no secret.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::windows {

using CallerVariable = std::function<std::optional<std::string>(std::string_view name)>;

// "KEY=value" in the order in which Windows keeps them: by name, whatever the case. Two names that
// differ in case alone are one variable; the first of the entries wins.
[[nodiscard]] std::vector<std::string> native_environment(std::span<const std::string> portable,
                                                          const CallerVariable& caller);

}  // namespace bawn::windows
