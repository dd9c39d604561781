// Identifiers for runs: unique, and in the order of their making when sorted as text.
//
// 26 characters of Crockford's base 32: 48 bits of milliseconds since 1970, then 80 random bits.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace bawn {

// `random` must hold 10 bytes that nobody can predict.
[[nodiscard]] std::string make_run_id(std::uint64_t unix_ms,
                                      std::span<const unsigned char, 10> random);

}  // namespace bawn
