#include "capture/redaction/trigger.h"

#include <array>

#include "capture/redaction/characters.h"

namespace bawn::redaction {
namespace {

enum class Case { folded, exact };

struct Trigger {
  std::string_view bytes;  // '?' is any byte except a line break
  Groups group;
  Case letters;
};

// The table can mix up the words of one group ("aokn"). So a group has words with similar first
// bytes, or words that are rare in text.
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
    Trigger{"-END", kKeyBlockGroup, Case::exact},
    Trigger{":*:?", kKeyBlockGroup, Case::exact},
    Trigger{":543", kCredentialGroup, Case::exact},
    Trigger{":643", kCredentialGroup, Case::exact},
    Trigger{"-p??", kPasswordOptionGroup, Case::exact},
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

constexpr bool may_stand(const Trigger& trigger, std::size_t place, char c) {
  const char wanted = trigger.bytes[place];
  if (wanted == '?') return c != '\n';
  return trigger.letters == Case::folded ? lower(c) == wanted : c == wanted;
}

constexpr AnchorTable make_table() {
  AnchorTable table;
  for (const Trigger& trigger : kTriggers) {
    for (std::size_t place = 0; place < AnchorTable::kLength; ++place) {
      for (unsigned c = 0; c < 256; ++c) {
        if (may_stand(trigger, place, static_cast<char>(c)))
          table.add(place, static_cast<unsigned char>(c), trigger.group);
      }
    }
  }
  return table;
}

constexpr AnchorTable kTable = make_table();

}  // namespace

AnchorHit next_trigger(std::string_view text, std::size_t from, std::size_t to) {
  return kTable.next(text, from, to);
}

}  // namespace bawn::redaction
