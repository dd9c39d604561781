// Which directories of the caller a tool on its PATH needs beside the one it was found in.
//
// Version managers keep programs and what those load in one place below the home: a directory on
// the PATH that lies in such a place stands for all of it. Of any other directory nothing but
// itself is shown. No place here holds keys or settings: ~/.cargo is shown without its credentials,
// ~/.local without its share of secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/scope.h"

namespace bawn {

// Absolute paths, of which some may not exist. `directory` and `home` are canonical; home may be
// "".
[[nodiscard]] std::vector<std::string> tool_places(std::string_view directory,
                                                   std::string_view home);

// Whether the links that led to a directory are no reason to show it: a run can change one of them,
// or an earlier run can have made one. Version managers make such links too, so one that leads to
// something beside it, or to where such a tool keeps its programs, is taken for theirs.
[[nodiscard]] bool is_led_astray(const Located& directory, const Scope& scope,
                                 std::string_view home);

}  // namespace bawn
