// The directories that belong to a system rather than to whoever works on it. Pure: names only, no
// disk.
//
// They are guarded against accidents (home_guard.h), not against intent: a user who names one with
// --workspace gets it. So a name is listed if a person's project is never there, and left out if it
// may be: /srv/project, /opt/project, /var/www/site, /mnt/disk/project and what a build service has
// deep below /var/lib stay usable.
#pragma once

#include <string_view>

namespace bawn::cli {

// `real` is absolute and free of links. True for a directory of the system, for everything in one
// that holds nothing else, and for every directory above one.
[[nodiscard]] bool is_system_place(std::string_view real);

}  // namespace bawn::cli
