// Scripts: the first line that names their interpreter, read as the kernel reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// The kernel looks at this many bytes and follows this many scripts that are interpreters of
// scripts.
inline constexpr std::size_t kShebangBytes = 256;
inline constexpr int kMostNestedScripts = 4;

struct Shebang {
  std::string interpreter;
  std::string argument;  // everything after it as one word; "" if there is none
};

// Empty if `head` does not begin with "#!". A first line that names no interpreter, or a longer one
// than fits, has an empty `interpreter`.
[[nodiscard]] std::optional<Shebang> read_shebang(std::string_view head);

// An executable that neither begins like a binary nor names an interpreter.
[[nodiscard]] bool is_text_without_shebang(std::string_view head);

// The words of the interpreter's call: interpreter, argument, the script's path, then the script's
// arguments.
[[nodiscard]] std::vector<std::string> interpreter_words(
    const Shebang& shebang, std::string script_path, const std::vector<std::string>& script_words);

}  // namespace bawn
