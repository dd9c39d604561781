// A seccomp profile of the user's own, as it was looked up.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "validate/lookup.h"

namespace bawn {

// The bits that no mode may have, whatever the profile says.
enum class RefusedSetId { user, user_and_group };

// The file as a filter for this machine, compiled each time: a filter that was kept between runs
// could have been put there by one of them. A profile decides what the command may ask of the
// kernel, and not what it may do to other users and programs of the host: so no-lease.json and
// no-set-user-id.json or no-set-id.json hold besides, and known.json, because a call that none of
// them knows could carry a mode. An error has a line for each mistake in the profile, and each line
// has this name of the file.
[[nodiscard]] Result<std::vector<sock_filter>> load_seccomp_profile(const Located& profile,
                                                                    const std::string& name,
                                                                    RefusedSetId refused);

}  // namespace bawn
