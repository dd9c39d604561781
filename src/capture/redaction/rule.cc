#include "capture/redaction/rule.h"

namespace bawn::redaction {
namespace {

enum class Case { folded, exact };

// Its first bytes count. After a shorter one any byte may stand, except a line break.
struct Trigger {
  std::string_view bytes;
  Groups group;
  Case letters;
};

constexpr Trigger kTriggers[] = {
#define BAWN_TRIGGER(bytes, letters, group, ...) {bytes, group, Case::letters},
#define BAWN_TOKEN(prefix, body, shortest, group, ...) {prefix, group, Case::exact},
#define BAWN_NAME(word, role, group, ...) {word, group, Case::folded},
#define BAWN_PGPASS_PORT(port, trigger, group, ...) {trigger, group, Case::exact},
#include "capture/redaction/rule.inc"
};

constexpr bool may_stand(const Trigger& trigger, std::size_t place, char c) {
  if (place >= trigger.bytes.size()) return c != '\n';
  const char wanted = trigger.bytes[place];
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
