// What a process may do beyond its user: taken away for good, and asked about afterwards. All return 0 or a negative errno.
#pragma once

#include <cstdint>

namespace bawn::keeper {

// Nothing that is executed from here on can get one back. Needs CAP_SETPCAP.
[[nodiscard]] long empty_bounding_set();

// The first 64 capabilities that are in the bounding set.
[[nodiscard]] std::uint64_t bounding_set();

// Of every set of this thread. `left` are those that the kernel still shows.
[[nodiscard]] long drop_capabilities(std::uint64_t& left);

}  // namespace bawn::keeper
