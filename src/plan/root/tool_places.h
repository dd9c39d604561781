// Which directories a tool on the caller's PATH needs beside the one it was found in.
//
// Version managers keep programs and their libraries in one tree below the home. A PATH directory
// inside such a tree stands for the whole tree; any other directory stands only for itself. The
// listed trees hold no keys or settings: ~/.cargo is shown without its credentials, ~/.local
// without keyrings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/scope.h"

namespace bawn {

// Absolute paths; some may not exist. `directory` and `home` are canonical; `home` may be "".
[[nodiscard]] std::vector<std::string> tool_places(std::string_view directory,
                                                   std::string_view home);

// True if `directory` was reached through links that must not decide what is shown: a run can
// change one, or an earlier run may have made one. Version managers make such links too. So a link
// is accepted if its target is beside it or in a known tool tree.
[[nodiscard]] bool is_led_astray(const Located& directory, const Scope& scope,
                                 std::string_view home);

}  // namespace bawn
