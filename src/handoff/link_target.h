// Whether a symbolic link leads out of a directory. Pure: judged by the words of the link.
#pragma once

#include <string_view>

namespace bawn::handoff {

// `directory` is where the link lies, relative to the root ("" for the root itself), and free of
// links. A ".." behind a name counts as leading out, because that name may be a link as well.
[[nodiscard]] bool leads_out(std::string_view target, std::string_view directory,
                             std::string_view root);

}  // namespace bawn::handoff
