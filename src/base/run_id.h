// Identifiers for runs. They are unique, and sorting them as text sorts them by creation time.
//
// The format is that of a ULID: 26 characters of Crockford's base 32, which encode 48 bits of
// milliseconds since 1970 and then 80 random bits. Two ids of the same millisecond sort at random.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace bawn {

// Pure: the caller supplies time and randomness. `random` must be unpredictable. Bits of `unix_ms`
// above the 48th are dropped.
[[nodiscard]] std::string make_run_id(std::uint64_t unix_ms,
                                      std::span<const unsigned char, 10> random);

}  // namespace bawn
