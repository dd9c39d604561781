// A seccomp profile of the user's own, as it was looked up.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "validate/lookup.h"

namespace bawn {

// The file as a filter for this machine, compiled each time: a filter that was kept between runs could have been put there by
// one of them. An error has a line for each mistake in the profile, and each line has this name
// of the file.
[[nodiscard]] Result<std::vector<sock_filter>> load_profile(const Located& profile, const std::string& name);

}  // namespace bawn
