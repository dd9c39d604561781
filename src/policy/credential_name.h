// Whether a variable is likely to hold a secret, told by its name. Used to mask values in what
// people read, so it errs on the side of masking.
#pragma once

#include <string_view>

namespace bawn {

[[nodiscard]] bool looks_like_credential(std::string_view variable_name);

// The same for what is removed wherever it stands, where masking too much garbles what people read:
// where the name may be that of a setting as well (SSL_CERT_FILE, XDG_SESSION_TYPE), a path or a
// short word is taken for one.
[[nodiscard]] bool is_credential(std::string_view variable_name, std::string_view value);

// The first for a variable whose value is known: a URL with user info is a secret under any name.
[[nodiscard]] bool may_hold_secret(std::string_view variable_name, std::string_view value);

}  // namespace bawn
