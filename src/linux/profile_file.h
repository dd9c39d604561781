// A seccomp profile of the user's own, given by path.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace bawn {

// The file as a filter for this machine, compiled each time: a filter that was kept between runs could have been put there by
// one of them. An error has a line for each mistake in the profile, and each line names the file.
[[nodiscard]] Result<std::vector<sock_filter>> load_profile(const std::string& path);

}  // namespace bawn
