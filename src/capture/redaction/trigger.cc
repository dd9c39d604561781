#include "capture/redaction/trigger.h"

#include <algorithm>
#include <array>

#include "capture/redaction/characters.h"

namespace bawn::redaction {
namespace {

enum class Case { folded, exact };

struct Trigger {
  std::string_view bytes;  // '?' is any byte that does not end a line
  Groups group;
  Case letters;
};

// Words that share a group may be confused with each other by the table ("aokn"), so those that are alike in
// their first bytes or rare in text are put together.
constexpr std::array kTriggers{
    Trigger{"pass", 0x0001, Case::folded},
    Trigger{"pwd?", 0x0002, Case::folded},
    Trigger{"secr", 0x0004, Case::folded},
    Trigger{"toke", 0x0008, Case::folded},
    Trigger{"key?", 0x0010, Case::folded},
    Trigger{"auth", 0x0020, Case::folded},
    Trigger{"cred", 0x0040, Case::folded},
    Trigger{"cook", 0x0040, Case::folded},
    Trigger{"code", 0x0080, Case::folded},
    Trigger{"sig=", 0x0100, Case::folded},
    Trigger{"sign", 0x0100, Case::folded},
    Trigger{"://?", kUrlGroup, Case::exact},
    Trigger{"bear", kCredentialGroup, Case::folded},
    Trigger{"basi", kCredentialGroup, Case::folded},
    Trigger{"BEGI", kKeyBlockGroup, Case::exact},
    Trigger{"-u ?", kUserOptionGroup, Case::exact},
    Trigger{"--us", kUserOptionGroup, Case::exact},
    Trigger{"ghp_", 0x1000, Case::exact},
    Trigger{"gho_", 0x1000, Case::exact},
    Trigger{"ghu_", 0x1000, Case::exact},
    Trigger{"ghs_", 0x1000, Case::exact},
    Trigger{"ghr_", 0x1000, Case::exact},
    Trigger{"gith", 0x1000, Case::exact},
    Trigger{"glpa", 0x2000, Case::exact},
    Trigger{"glsa", 0x2000, Case::exact},
    Trigger{"xoxa", 0x2000, Case::exact},
    Trigger{"xoxb", 0x2000, Case::exact},
    Trigger{"xoxp", 0x2000, Case::exact},
    Trigger{"xoxr", 0x2000, Case::exact},
    Trigger{"xoxs", 0x2000, Case::exact},
    Trigger{"xapp", 0x2000, Case::exact},
    Trigger{"eyJ?", 0x4000, Case::exact},
    Trigger{"ya29", 0x4000, Case::exact},
    Trigger{"AKIA", 0x4000, Case::exact},
    Trigger{"ASIA", 0x4000, Case::exact},
    Trigger{"AIza", 0x4000, Case::exact},
    Trigger{"AGE-", 0x4000, Case::exact},
    Trigger{"npm_", 0x8000, Case::exact},
    Trigger{"pypi", 0x8000, Case::exact},
    Trigger{"dop_", 0x8000, Case::exact},
    Trigger{"dckr", 0x8000, Case::exact},
    Trigger{"shpa", 0x8000, Case::exact},
    Trigger{"hvs.", 0x8000, Case::exact},
    Trigger{"SG.?", 0x8000, Case::exact},
    Trigger{"hf_?", 0x8000, Case::exact},
    Trigger{"sk-?", 0x8000, Case::exact},
    Trigger{"sk_l", 0x8000, Case::exact},
    Trigger{"sk_t", 0x8000, Case::exact},
    Trigger{"rk_l", 0x8000, Case::exact},
};

constexpr std::size_t kLength = 4;
using Table = std::array<std::uint64_t, 256>;

constexpr bool may_stand(const Trigger& trigger, std::size_t place, char c) {
  const char wanted = trigger.bytes[place];
  if (wanted == '?') return c != '\n';
  return trigger.letters == Case::folded ? lower(c) == wanted : c == wanted;
}

constexpr Table make_table() {
  Table table{};
  for (const Trigger& trigger : kTriggers) {
    for (std::size_t place = 0; place < kLength; ++place) {
      for (std::size_t c = 0; c < table.size(); ++c) {
        const auto bits = static_cast<std::uint64_t>(trigger.group) << (16 * place);
        if (may_stand(trigger, place, static_cast<char>(c))) table[c] |= bits;
      }
    }
  }
  return table;
}

constexpr Table kTable = make_table();

std::uint64_t entry(std::string_view text, std::size_t i) {
  return kTable[static_cast<unsigned char>(text[i])];
}

// Field 0: the groups whose first two bytes may stand here; field 2: the same for the last two.
std::uint64_t pair_at(std::string_view text, std::size_t i) {
  return entry(text, i) & (entry(text, i + 1) >> 16);
}

std::uint64_t groups_at(std::string_view text, std::size_t i) {
  return pair_at(text, i) & (pair_at(text, i + 2) >> 32) & 0xffff;
}

}  // namespace

Place next_trigger(std::string_view text, std::size_t from, std::size_t to) {
  constexpr std::size_t kStride = 8;
  const std::size_t last = std::min(to, text.size() < kLength ? 0 : text.size() - kLength + 1);
  std::size_t i = from;
  // Whole strides without a single trigger are the ordinary case: one branch for eight bytes.
  for (; i + kStride <= last; i += kStride) {
    std::array<std::uint64_t, kStride + 2> pairs{};
    for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = pair_at(text, i + k);
    std::uint64_t any = 0;
    for (std::size_t k = 0; k < kStride; ++k) any |= pairs[k] & (pairs[k + 2] >> 32);
    if ((any & 0xffff) != 0) break;
  }
  for (; i < last; ++i) {
    if (const std::uint64_t groups = groups_at(text, i); groups != 0) return {i, static_cast<Groups>(groups)};
  }
  return {to, 0};
}

}  // namespace bawn::redaction
