// Percent-encoding of URLs: "%41" is "A".
//
// The result may contain any byte, also '/', NUL and '%'. Decode once only: a second decoding would
// see another path than the program does.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

// An escape without two hex digits stays as it is.
[[nodiscard]] std::string percent_decoded(std::string_view text);

}  // namespace bawn
