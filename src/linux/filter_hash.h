// The name by which a receipt calls a filter.
//
// Those of the build have theirs from the build: to work one out takes longer than most steps of a
// launch.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>

namespace bawn {

// 16 hexadecimal digits of the SHA-256 of its instructions, as the kernel takes them.
[[nodiscard]] std::string filter_hash(std::span<const sock_filter> filter);

}  // namespace bawn
