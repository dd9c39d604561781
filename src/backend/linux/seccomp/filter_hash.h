// The hash by which a receipt identifies a seccomp filter.
//
// The built-in filters get their hashes at build time, because computing one takes longer than most
// steps of a launch. Not a proof of origin: it is a shortened SHA-256.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>

namespace bawn::linux_ {

// The first 16 hexadecimal digits of the SHA-256 of the instructions, as the kernel takes them.
[[nodiscard]] std::string filter_hash(std::span<const sock_filter> filter);

}  // namespace bawn::linux_
