// The names of the policy's enumerators: the same in policy files, in flags and in output.
//
// An unknown name is an error that lists the known names and the nearest one. There is no default.
// The tables are constant data and may be read from any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "policy/egress_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/tier.h"
#include "policy/workspace_policy.h"

namespace bawn {

// The name of each value. A value outside the enumeration gives "invalid".
[[nodiscard]] std::string_view to_string(Tier tier);
[[nodiscard]] std::string_view to_string(TierChoice choice);
[[nodiscard]] std::string_view to_string(WorkspaceMode mode);
[[nodiscard]] std::string_view to_string(GitHooksMode mode);
[[nodiscard]] std::string_view to_string(Tmp tmp);
[[nodiscard]] std::string_view to_string(EgressMode mode);

// For messages: "'/srv/data'" or, with a guest path, "'/srv/data' at '/data'".
[[nodiscard]] std::string quoted(const Grant& grant);

// Each fails with ErrorKind::invalid for an unknown name.
[[nodiscard]] Result<TierChoice> parse_tier(std::string_view text);
[[nodiscard]] Result<EgressMode> parse_egress_mode(std::string_view text);
[[nodiscard]] Result<GitHooksMode> parse_git_hooks_mode(std::string_view text);

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

  // The message for a name that find() does not know.
  [[nodiscard]] std::string refusal(std::string_view text) const {
    const std::string_view why = objection(text);
    return concat(quote(text), " is not ", noun, ": ",
                  why.empty() ? concat("expected ", one_of(name_list())) : std::string(why));
  }
};

// Specialised for the five enumerations above.
template <class Enum>
[[nodiscard]] Vocabulary<Enum> vocabulary();

}  // namespace bawn
