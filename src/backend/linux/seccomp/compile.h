// Compiles seccomp profiles into one BPF filter for the kernel. Pure.
//
// Profiles are layers. A call is allowed only if every layer allows it; if several refuse it, the
// last one decides how. So a later profile can only take permissions away.
//
// The filter is one binary search over ranges of call numbers with the same policy. The cost of
// loading grows with the number of instructions, and this needs less than half of those in
// libseccomp's tree over single numbers. libseccomp's rules would not do either. A rule without
// conditions swallows rules with conditions on the same call, so that "ioctl, except for these
// requests" cannot be written over a default that refuses. And with several 64-bit conditions
// libseccomp 2.5 allows calls that none of its rules allows. Only its table of names is used.
//
// Calls that are allowed whatever their arguments are decided without loading an argument. For
// those Linux 5.11 evaluates the filter once, when it is loaded, and never again. So the order of
// the search hardly matters.
#pragma once

#include <linux/filter.h>

#include <span>
#include <vector>

#include "backend/linux/seccomp/profile.h"
#include "backend/linux/seccomp/syscall_names.h"
#include "base/result.h"

namespace bawn::linux_::seccomp {

// `layers` in the order of application, the last asked first. Rules for calls that the architecture
// does not have are left out. An error if there is no profile, if one decides a call in two ways
// without conditions, or if the filter is longer than the kernel accepts.
[[nodiscard]] Result<std::vector<sock_filter>> compile(std::span<const SeccompProfile> layers,
                                                       Architecture architecture);

}  // namespace bawn::linux_::seccomp
