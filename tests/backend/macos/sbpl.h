// Reads the sandbox profile language (SBPL), as far as bawn writes it, and says what a profile
// decides.
//
// It is not macOS: it claims nothing that only a Mac can show. It tells whether a profile is
// well-formed, and which rule matches last for an operation on a path. The last match decides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/macos/sandbox_profile.h"

namespace bawn {

// An expression: a word, a text in quotes, a regular expression #"...", or a list of expressions.
struct SbplNode {
  enum class Kind { word, text, regex, list };
  Kind kind = Kind::list;
  std::string value{};            // unless it is a list
  std::vector<SbplNode> items{};  // if it is a list

  [[nodiscard]] bool is_word(std::string_view text) const {
    return kind == Kind::word && value == text;
  }
  // The word that a list begins with; "" if it begins with something else.
  [[nodiscard]] std::string_view head() const;
};

struct SbplText {
  std::vector<SbplNode> forms;
  std::string error;  // "" if the whole text was read; otherwise the reason with its offset
};
[[nodiscard]] SbplText parse_sbpl(std::string_view text);

struct SbplRule {
  bool allows = false;
  std::vector<std::string> operations;
  std::vector<SbplNode> filters;  // one of them must match; if empty, the rule matches everything
};

// Every form but (version 1), in order. A form that is neither (allow ...) nor (deny ...) becomes a
// rule without operations.
[[nodiscard]] std::vector<SbplRule> rules_of(const SbplText& text);

// Whether `pattern` covers `operation`: "file-read*" covers every operation that begins so.
[[nodiscard]] bool covers(std::string_view pattern, std::string_view operation);

// Whether the profile allows `operation` on the file, or Unix socket, at the canonical `path`.
[[nodiscard]] bool allows(const SandboxProfile& profile, std::string_view operation,
                          std::string_view path);

// The same for a filter that is not a path: allows_filter(profile, "mach-lookup", "global-name",
// "com.apple.x").
[[nodiscard]] bool allows_filter(const SandboxProfile& profile, std::string_view operation,
                                 std::string_view filter, std::string_view argument);

}  // namespace bawn
