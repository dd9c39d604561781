// A seccomp profile of the user's own, given by path.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "linux/profile_cache.h"

namespace bawn {

// The file as a filter for this machine. A profile decides what the command may ask of the kernel, and not what it may leave
// to other users of the host: so no-set-user-id.json or no-set-id.json holds besides, and known.json, because a call that
// neither of them knows could carry a mode. `runtime_directory` is where a compiled filter may be kept for the next time
// (linux/profile_cache.h), usually $XDG_RUNTIME_DIR; "" is nowhere. An error has a line for
// each mistake in the profile, and each line names the file.
[[nodiscard]] Result<std::vector<sock_filter>> load_profile(const std::string& path, RefusedSetId refused,
                                                            const std::string& runtime_directory);

}  // namespace bawn
