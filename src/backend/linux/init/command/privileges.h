// Capabilities: which ones init keeps during setup, and how it and the command give them up.
//
// Every drop is final for the process and its children, and is read back from the kernel, here or
// by the caller. All act on the calling thread. Unless said otherwise they return 0 or a negative
// errno; after an error some capabilities may already be dropped.
#pragma once

#include <linux/capability.h>

#include <cstdint>

namespace bawn::init {

// The capabilities that an init in namespaces has in its user namespace until the command has
// started: to mount, to bring up the loopback interface, to switch the user, and to drop the
// bounding set.
inline constexpr int kKeptCapabilities[] = {CAP_SYS_ADMIN, CAP_NET_ADMIN, CAP_SETUID, CAP_SETGID,
                                            CAP_SETPCAP};

// Checks that this thread has exactly kKeptCapabilities, and that SECBIT_NOROOT is set, so that an
// exec as uid 0 gives no capabilities. EPERM otherwise. Changes nothing.
[[nodiscard]] long verify_kept_capabilities();

// Drops the bounding set: afterwards no exec can gain a capability. Needs CAP_SETPCAP.
[[nodiscard]] long empty_bounding_set();

// The bounding set, as bits of the first 64 capabilities. Cannot fail.
[[nodiscard]] std::uint64_t bounding_set();

// Clears the effective, permitted and inheritable sets. `left` is the union of the three as the
// kernel shows it afterwards; the caller checks that it is 0.
[[nodiscard]] long drop_capabilities(std::uint64_t& left);

}  // namespace bawn::init
