// Profiles to one BPF filter: what the kernel gets.
//
// Profiles are layers, and together as strict as each is alone: a call is let through only if every
// one of them lets it through; if several refuse, the last says how. So a later profile can take
// away from an earlier one and never add.
//
// The filter is one binary search over ranges of call numbers that are decided alike: loading costs
// by the instruction, and this takes less than half of what libseccomp's tree over single numbers
// takes. Nor would libseccomp's rules do: one without conditions swallows those with conditions on
// the same call, so that "ioctl, except for these requests" cannot be written over a default that
// refuses; and of several with conditions on 64 bits its 2.5 lets calls through that none of them
// allows. It serves for its table of names.
//
// Calls that are let through whatever their arguments are get their answer without a look at an
// argument; for those the kernel (5.11) asks the filter once, when it is loaded, and never again.
// What order the search has hardly matters then.
#pragma once

#include <linux/filter.h>

#include <span>
#include <vector>

#include "base/result.h"
#include "linux/seccomp_profile.h"
#include "linux/syscall_names.h"

namespace bawn::seccomp {

// Rules for calls that the architecture does not have are left out. An error if there is no
// profile, if one both allows and refuses a call without conditions, or if the filter would be
// longer than the kernel takes.
[[nodiscard]] Result<std::vector<sock_filter>> compile(std::span<const SeccompProfile> layers,
                                                       Architecture architecture);

}  // namespace bawn::seccomp
