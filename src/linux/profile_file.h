// A seccomp profile of the user's own, given by path.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace bawn {

// The file as a filter for this machine. `runtime_directory` is where a compiled filter may be kept for the next time
// (linux/profile_cache.h), usually $XDG_RUNTIME_DIR; "" is nowhere. An error has a line for
// each mistake in the profile, and each line names the file.
[[nodiscard]] Result<std::vector<sock_filter>> load_profile(const std::string& path,
                                                            const std::string& runtime_directory);

}  // namespace bawn
