// Loads a seccomp profile of the user's from the file that was looked up.
//
// The file is compiled on every run and the result is not stored: a stored filter could have been
// planted by an earlier run.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "validate/lookup.h"

namespace bawn::linux_ {

// Mode bits that are refused whatever the profile says.
enum class RefusedSetId { user, user_and_group };

// What is refused beside the profile.
struct RefusedBeside {
  RefusedSetId set_id = RefusedSetId::user_and_group;
  bool memfd = false;  // memfd_create
};

// Reads and compiles the profile for this machine. A profile decides what the command may ask of
// the kernel, not what it may do to other users and programs of the host. So no-lease.json and
// no-set-user-id.json or no-set-id.json apply as well, and no-memfd.json where `refused` says so.
// known.json does too, because a call that
// none of them knows could set a mode. The file is read through the descriptor of `profile`. The
// error has one line for each mistake, and each line begins with `name`.
[[nodiscard]] Result<std::vector<sock_filter>> load_seccomp_profile(const Located& profile,
                                                                    const std::string& name,
                                                                    const RefusedBeside& refused);

}  // namespace bawn::linux_
