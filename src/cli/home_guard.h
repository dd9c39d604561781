// In one's home, or above it, a command could leave what the next shell obeys, and read keys.
// Whoever means that says so.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "policy/policy.h"
#include "validate/violation.h"

namespace bawn::cli {

// Why a person's command does not start with `current` as its workspace; nothing if the policy
// names another, or this one. Besides the home these are: directories that all users share (/tmp),
// which hold the sockets of other programs; the homes of other users; the system's own directories,
// and whatever holds one of them. An error if the host is short of something, so that it is not
// known.
[[nodiscard]] Result<std::optional<Violation>> place_by_accident(const Policy& policy,
                                                                 const std::string& current);

}  // namespace bawn::cli
