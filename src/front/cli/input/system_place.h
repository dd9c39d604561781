// The list of directories that belong to the system and not to a user's work. Pure: it compares
// names and does not look at the disk.
//
// home_guard.h uses it against accidents. It is no security boundary: a user who names such a
// directory with --workspace gets it. A directory is listed if no user keeps a project there.
// /srv/project, /opt/project, /var/www/site, /mnt/disk/project and the projects of a build service
// deep below /var/lib stay usable.
#pragma once

#include <string_view>

namespace bawn::cli {

// `real` is an absolute path without symbolic links. True for a system directory, for every
// directory above one, for everything below one that holds system files only (/etc, /usr/lib), for
// each direct entry of /var/lib and /var/opt, and for lost+found anywhere in the path.
[[nodiscard]] bool is_system_place(std::string_view real);

}  // namespace bawn::cli
