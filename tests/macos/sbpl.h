// The profile language, as far as bawn writes it: a reader that is strict about form, and what a
// profile would decide.
//
// Not the real thing: semantics that only a Mac can show are not claimed here. It tells whether a
// profile is well-formed, and which rule speaks last about an operation on a path, by the rules
// that the language is known to follow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "macos/sandbox_profile.h"

namespace bawn {

// An expression: a word, a text in quotes, a regular expression #"...", or a list of expressions.
struct SbplNode {
  enum class Kind { word, text, regex, list };
  Kind kind = Kind::list;
  std::string value{};            // not of a list
  std::vector<SbplNode> items{};  // of a list

  [[nodiscard]] bool is_word(std::string_view text) const {
    return kind == Kind::word && value == text;
  }
  // The word that a list begins with; "" if it does not.
  [[nodiscard]] std::string_view head() const;
};

struct SbplText {
  std::vector<SbplNode> forms;
  std::string error;  // "" if the whole text was read; with the offset otherwise
};
[[nodiscard]] SbplText parse_sbpl(std::string_view text);

struct SbplRule {
  bool allows = false;
  std::vector<std::string> operations;
  std::vector<SbplNode> filters;  // any of them; none: everything
};

// Every form but (version 1), in order. Whatever is not (allow ...) or (deny ...) is an empty rule
// without operations.
[[nodiscard]] std::vector<SbplRule> rules_of(const SbplText& text);

// "file-read*" stands for every operation that begins so.
[[nodiscard]] bool covers(std::string_view pattern, std::string_view operation);

// Whether the profile allows `operation` on the file at the canonical `path`. For Unix sockets, the
// operation on that path.
[[nodiscard]] bool allows(const SandboxProfile& profile, std::string_view operation,
                          std::string_view path);

// The same for what is no file: allows_filter(profile, "mach-lookup", "global-name",
// "com.apple.x").
[[nodiscard]] bool allows_filter(const SandboxProfile& profile, std::string_view operation,
                                 std::string_view filter, std::string_view argument);

}  // namespace bawn
