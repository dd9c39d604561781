// Names of programs: base names, and the families that versioned names belong to.
//
// A name is only a hint of what a program does. Code that decides by a name must compare the file's
// identity too (validate/program/program_identity.h).
#pragma once

#include <string>
#include <string_view>

namespace bawn {

// "/usr/bin/ls" -> "ls"; "" for a path that ends in '/'. The view points into `path`.
[[nodiscard]] std::string_view base_name(std::string_view path);

// The name without version, variant, target system and ".exe", in lower case:
// "python3.11" -> "python", "perl5.36-x86_64-linux-gnu" -> "perl", "vim.basic" -> "vim",
// "bash-static" -> "bash", "x86_64-linux-gnu-gcc-12" -> "gcc", "CMD.EXE" -> "cmd".
[[nodiscard]] std::string program_family(std::string_view name);

// The name in lower case and without ".exe", for tables of exact names.
[[nodiscard]] std::string plain_program_name(std::string_view name);

}  // namespace bawn
