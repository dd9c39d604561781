#include "base/run_id.h"

#include <array>
#include <string_view>

namespace bawn {

std::string make_run_id(std::uint64_t unix_ms, std::span<const unsigned char, 10> random) {
  constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::array<unsigned char, 16> bytes{};
  for (std::size_t i = 0; i < 6; ++i)
    bytes[i] = static_cast<unsigned char>(unix_ms >> (40 - 8 * i));
  for (std::size_t i = 0; i < random.size(); ++i) bytes[6 + i] = random[i];

  // 26 groups of five bits have room for 130 bits. The id has 128, so two zero bits come first.
  std::string out;
  unsigned bits = 0;
  unsigned held = 2;
  for (const unsigned char byte : bytes) {
    bits = bits << 8 | byte;
    held += 8;
    while (held >= 5) {
      held -= 5;
      out += kAlphabet[bits >> held & 31];
    }
  }
  return out;
}

}  // namespace bawn
