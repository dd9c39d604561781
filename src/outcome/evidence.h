// The evidence of one line of the receipt: what is known about a layer, as named values.
//
// JSON shows the fields as they are. evidence_text.h makes the prose that people see; its table
// says which fields each layer can have. Plain values without a thread rule.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bawn {

// One line of /proc/PID/uid_map: the first id inside, the first id outside, and how many.
using IdMapRow = std::array<std::uint32_t, 3>;

// std::monostate is a number that could not be read: null in JSON.
using EvidenceValue = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, std::string,
                                   std::vector<std::string>, std::vector<IdMapRow>>;

struct EvidenceField {
  EvidenceField(std::string_view field, bool flag) : name(field), value(flag) {}
  EvidenceField(std::string_view field, std::string text) : name(field), value(std::move(text)) {}
  EvidenceField(std::string_view field, std::string_view text)
      : name(field), value(std::string(text)) {}
  EvidenceField(std::string_view field, const char* text)
      : EvidenceField(field, std::string_view(text)) {}
  EvidenceField(std::string_view field, std::vector<std::string> words)
      : name(field), value(std::move(words)) {}
  EvidenceField(std::string_view field, std::vector<IdMapRow> map)
      : name(field), value(std::move(map)) {}
  EvidenceField(std::string_view field, const std::optional<std::uint64_t>& number) : name(field) {
    if (number) value = *number;
  }
  // Only negative numbers are signed, so that equal numbers are equal values.
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) EvidenceField(std::string_view field, Number number)
      : name(field) {
    if (std::cmp_less(number, 0))
      value = static_cast<std::int64_t>(number);
    else
      value = static_cast<std::uint64_t>(number);
  }

  std::string_view name;  // a string literal
  EvidenceValue value;
  bool operator==(const EvidenceField&) const = default;
};

// In the order in which they are shown. No name appears twice.
using Evidence = std::vector<EvidenceField>;

}  // namespace bawn
