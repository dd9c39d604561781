// A seccomp profile of the user's own, given by path.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace bawn {

// The file as a filter for this machine. The file is read and compiled anew each time: see seccomp_compile.h for what
// that takes.
[[nodiscard]] Result<std::vector<sock_filter>> load_profile(const std::string& path);

}  // namespace bawn
