// Scripts: reads the first line, which names the interpreter, as the kernel reads it.
//
// bawn passes the interpreter to execve(), so that the interpreter that was judged is the one that
// runs. The kernel then never sees the script as a program, so bawn must refuse what the kernel
// would refuse. Pure functions on text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// The kernel reads this many bytes of a script (BINPRM_BUF_SIZE), and documents this many levels of
// scripts that are interpreters of scripts.
inline constexpr std::size_t kShebangBytes = 256;
inline constexpr int kMostNestedScripts = 4;

// The first line of a script.
struct Shebang {
  std::string interpreter;
  std::string argument;  // the rest of the line as one word, trimmed; "" if there is none
};

// `head` is the start of the file. Empty optional if it does not begin with "#!". `interpreter` is
// empty if the line names none, or if its name does not fit in kShebangBytes. An argument that does
// not fit is cut off.
[[nodiscard]] std::optional<Shebang> read_shebang(std::string_view head);

// True for an executable that neither begins like a binary nor names an interpreter. The kernel
// answers ENOEXEC, and execvp() then passes the file to a shell.
[[nodiscard]] bool is_text_without_shebang(std::string_view head);

// The interpreter's command line: interpreter, its argument, the script's path, then the script's
// arguments. `script_words` begins with the script's name, which is dropped.
[[nodiscard]] std::vector<std::string> interpreter_words(
    const Shebang& shebang, std::string script_path, const std::vector<std::string>& script_words);

}  // namespace bawn
