// The members of package.json and its relatives that run something.
//
// Pure. The text is not trusted.
#pragma once

#include <string_view>

namespace bawn::handoff {

// Whether the members differ. An empty `before` stands for a file that did not exist. True as well
// if a text that has changed is no JSON object.
[[nodiscard]] bool scripts_differ(std::string_view before, std::string_view after);

}  // namespace bawn::handoff
