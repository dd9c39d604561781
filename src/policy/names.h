// The words for the policy's enumerations: the same in policy files, in flags and in what bawn
// prints.
//
// A word that is not on the list is an error that names the list and the nearest word; there is no
// default.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"
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
struct EnumName {
  Enum value;
  std::string_view text;
};

// A word that is refused with a sentence of its own: people read it in two ways, one of them
// dangerous, or it names something that this version does not have.
struct Ambiguity {
  std::string_view text;
  std::string_view objection;
};

// All words of one enumeration. A value may have several; the first is the one that is printed.
template <class Enum>
struct Vocabulary {
  std::string_view noun;  // "an egress mode"
  std::span<const EnumName<Enum>> names;
  std::span<const Ambiguity> ambiguous;

  [[nodiscard]] std::optional<Enum> find(std::string_view text) const {
    for (const EnumName<Enum>& name : names) {
      if (name.text == text) return name.value;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string_view> name_list() const {
    std::vector<std::string_view> out;
    for (const EnumName<Enum>& name : names) out.push_back(name.text);
    return out;
  }

  // The sentence for a word of `ambiguous`; "" for any other.
  [[nodiscard]] std::string_view objection(std::string_view text) const {
    for (const Ambiguity& name : ambiguous) {
      if (name.text == text) return name.objection;
    }
    return "";
  }

  // For a word that is not found.
  [[nodiscard]] std::string refusal(std::string_view text) const {
    const std::string_view why = objection(text);
    return concat(quote(text), " is not ", noun, ": ",
                  why.empty() ? concat("expected ", one_of(name_list())) : std::string(why));
  }
};

// Exists for the five enumerations above.
template <class Enum>
[[nodiscard]] Vocabulary<Enum> vocabulary();

}  // namespace bawn
