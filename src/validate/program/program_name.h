// What a program is called: base names and the families that versioned names belong to.
//
// Names are only hints of what a program does; whoever decides by a name decides by the file's
// identity too.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

// "/usr/bin/ls" -> "ls"; "" for a path that ends in '/'.
[[nodiscard]] std::string_view base_name(std::string_view path);

// The family of a name: "python3.11" -> "python", "perl5.36-x86_64-linux-gnu" -> "perl",
// "vim.basic" -> "vim", "bash-static" -> "bash", "x86_64-linux-gnu-gcc-12" -> "gcc", "CMD.EXE" ->
// "cmd". A name without a version is its own family.
[[nodiscard]] std::string program_family(std::string_view name);

// The name in lower case and without ".exe": what tables of exact names are asked for.
[[nodiscard]] std::string plain_program_name(std::string_view name);

}  // namespace bawn
