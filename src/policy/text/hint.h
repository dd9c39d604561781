// Hints for people: a flag that can be pasted, and the policy key that means the same.
//
//     try --timeout 10s (policy key: limits.wall_time_ms)
//
// The flag is that of the key's row in policy/text/option.h; tests/cli/hint_test.cc types what the
// hints say. A hint that names more than one flag is written out; tests/policy/option_test.cc finds
// it in the source and looks for its flags and keys in the tables.
#pragma once

#include <string>
#include <string_view>

#include "policy/limit.h"

namespace bawn {

// "try FLAG VALUE (policy key: KEY)" with the flag that sets `key`; "set KEY to VALUE in the
// policy" if none does. `value` is quoted where a shell would read it otherwise, and may be empty.
[[nodiscard]] std::string try_option(std::string_view key, std::string_view value);

// Suggests more than `present` of the limit at `key` ("limits.wall_time_ms"): ten times the time or
// output, twice of anything else, and "unlimited" where that is more than the key takes.
[[nodiscard]] std::string raise_limit(std::string_view key, const Limit& present);

// "try --memory unlimited (policy key: limits.memory_bytes)".
[[nodiscard]] std::string lift_limit(std::string_view key);

// "try --ro PATH, or --rw PATH to write there (policy keys: filesystem.read, filesystem.write)".
[[nodiscard]] std::string grant_hint(std::string_view path);

// A word as a shell takes it: as it is, or quoted.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace bawn
