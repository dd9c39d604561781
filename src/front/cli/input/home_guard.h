// Guards against a workspace by accident: `bawn run` in a directory that was never meant as one.
//
// In the user's home a command could read keys and change files that the next shell executes. A
// user who wants that says so with --workspace.
//
// This is a check of the default only. It does not restrict a workspace that the policy names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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
//  - system directories and directories above them (is_system_place);
//  - the homes of other users and directories above them.
// No value either if the policy names a root, has a private workspace, or runs unconfined. An error
// if the homes could not be looked up.
[[nodiscard]] Result<std::optional<Violation>> place_by_accident(const Policy& policy,
                                                                 const std::string& current);

// True for a directory that belongs to the system and not to a user's work. It compares names and
// does not look at the disk; `real` is an absolute path without symbolic links. True for a system
// directory, for every directory above one, for everything below one that holds system files only
// (/etc, /usr/lib), for each direct entry of /var/lib and /var/opt, and for lost+found anywhere in
// the path. A directory is listed if no user keeps a project there: /srv/project, /opt/project,
// /var/www/site, /mnt/disk/project and the projects of a build service deep below /var/lib stay
// usable.
[[nodiscard]] bool is_system_place(std::string_view real);

}  // namespace bawn::cli
