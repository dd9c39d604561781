// The %41 of URLs.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

// Decodes once; an escape that is not two hex digits stays as it is.
[[nodiscard]] std::string percent_decoded(std::string_view text);

}  // namespace bawn
