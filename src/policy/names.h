// The words for the policy's enumerations: the same in policy files, in flags and in what bawn prints.
//
// A word that is not on the list is an error that names the list and the nearest word; there is no default.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace bawn {

[[nodiscard]] std::string_view to_string(Tier tier);
[[nodiscard]] std::string_view to_string(TierChoice choice);
[[nodiscard]] std::string_view to_string(WorkspaceMode mode);
[[nodiscard]] std::string_view to_string(Tmp tmp);
[[nodiscard]] std::string_view to_string(EgressMode mode);

// "'/srv/data'", "'/srv/data' at '/data'".
[[nodiscard]] std::string quoted(const Grant& grant);

[[nodiscard]] Result<TierChoice> parse_tier(std::string_view text);
[[nodiscard]] Result<Tier> parse_tier_floor(std::string_view text);
[[nodiscard]] Result<WorkspaceMode> parse_workspace_mode(std::string_view text);
[[nodiscard]] Result<Tmp> parse_tmp(std::string_view text);
[[nodiscard]] Result<EgressMode> parse_egress_mode(std::string_view text);

template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

// All words of one enumeration. Where a value has two, the first is the one that is printed.
template <class Enum>
struct Vocabulary {
  std::string_view noun;  // "an egress mode"
  std::span<const Word<Enum>> words;

  [[nodiscard]] std::optional<Enum> find(std::string_view text) const {
    for (const Word<Enum>& word : words) {
      if (word.text == text) return word.value;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string_view> texts() const {
    std::vector<std::string_view> out;
    for (const Word<Enum>& word : words) out.push_back(word.text);
    return out;
  }
};

// Exists for the five enumerations above.
template <class Enum>
[[nodiscard]] Vocabulary<Enum> vocabulary();

}  // namespace bawn
