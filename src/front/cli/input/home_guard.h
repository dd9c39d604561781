// Guards against a workspace by accident: `bawn run` in a directory that was never meant as one.
//
// In the user's home a command could read keys and change files that the next shell executes. A
// user who wants that says so with --workspace.
//
// This is a check of the default only. It does not restrict a workspace that the policy names.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "validate/violation.h"

namespace bawn {
struct Policy;
}  // namespace bawn

namespace bawn::cli {

// The violation if `current` must not become the workspace by default; no value if it may. Refused
// are:
//  - the user's home and directories above it, if the workspace is written directly;
//  - directories that all users share (/tmp): they hold the sockets of other programs;
//  - system directories and directories above them (system_place.h);
//  - the homes of other users and directories above them.
// No value either if the policy names a root, has a private workspace, or runs unconfined. An error
// if the homes could not be looked up.
[[nodiscard]] Result<std::optional<Violation>> place_by_accident(const Policy& policy,
                                                                 const std::string& current);

}  // namespace bawn::cli
