// Whether a variable is likely to hold a secret, told by its name. Used to mask values in what people read,
// so it errs on the side of masking.
#pragma once

#include <string_view>

namespace bawn {

[[nodiscard]] bool looks_like_credential(std::string_view variable_name);

}  // namespace bawn
