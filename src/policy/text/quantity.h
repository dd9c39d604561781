// Amounts as people type them in flags: "256M", "500ms", "64", "unlimited".
//
// Units of size are binary (K = 1024 bytes). A time always needs a unit: 30 could be seconds or
// milliseconds, and a limit must not depend on a guess. These functions check only the syntax;
// check_policy checks whether the amount is permitted for a field. All fail with
// ErrorKind::invalid.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/limit.h"

namespace bawn {

// What a limit counts.
enum class Amount {
  count,
  bytes,
  milliseconds,
  processors,  // in hundredths
};

// As the function below for that amount does.
[[nodiscard]] Result<Limit> parse_amount(Amount amount, std::string_view text);
[[nodiscard]] std::string amount_text(Amount amount, std::uint64_t value);

// "256M", "1G", "64K", "2T", "64KiB", or a plain number of bytes.
[[nodiscard]] Result<Limit> parse_size(std::string_view text);

// "500ms", "2s", "1m", "1h", "7d".
[[nodiscard]] Result<Limit> parse_duration_ms(std::string_view text);

[[nodiscard]] Result<Limit> parse_count(std::string_view text);

// A number of CPUs, returned in hundredths: "2" is 200, "1.5" is 150, "0.25" is 25.
[[nodiscard]] Result<Limit> parse_processors(std::string_view text);

// The reverse: text that the matching parser accepts, in the largest unit that leaves no remainder.
[[nodiscard]] std::string size_text(std::uint64_t bytes);
[[nodiscard]] std::string duration_text(std::uint64_t milliseconds);
[[nodiscard]] std::string count_text(std::uint64_t count);
[[nodiscard]] std::string processors_text(std::uint64_t hundredths);

}  // namespace bawn
