// What a process may do beyond its user: taken away for good, and asked about afterwards. All
// return 0 or a negative errno.
#pragma once

#include <linux/capability.h>

#include <cstdint>

namespace bawn::init {

// What an init in namespaces has of its user namespace's capabilities until its command has
// started: to mount, to bring up the loopback, to become another user, and to give all of them up
// for good.
inline constexpr int kKeptCapabilities[] = {CAP_SYS_ADMIN, CAP_NET_ADMIN, CAP_SETUID, CAP_SETGID,
                                            CAP_SETPCAP};

// Asks whether these are all that this thread has, and whether an exec gives its user no more.
[[nodiscard]] long verify_kept_capabilities();

// Nothing that is executed from here on can get one back. Needs CAP_SETPCAP.
[[nodiscard]] long empty_bounding_set();

// The first 64 capabilities that are in the bounding set.
[[nodiscard]] std::uint64_t bounding_set();

// Of every set of this thread. `left` are those that the kernel still shows.
[[nodiscard]] long drop_capabilities(std::uint64_t& left);

}  // namespace bawn::init
