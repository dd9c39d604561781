// In one's home, or above it, a command could leave what the next shell obeys, and read keys. Whoever means that says so.
#pragma once

#include <optional>
#include <string>

#include "policy/policy.h"
#include "validate/violation.h"

namespace bawn::cli {

// Why a person's command does not start with `current` as its workspace; nothing if the policy names another, or this one.
[[nodiscard]] std::optional<Violation> home_by_accident(const Policy& policy, const std::string& current);

}  // namespace bawn::cli
