// Guesses from the name of a variable whether it holds a secret.
//
// Used to mask values in text that people read, so in doubt the answer is yes. It must not be used
// to decide what a command may see: the policy lists the variables it passes.
#pragma once

#include <string_view>

namespace bawn {

// By the name alone, in any case: GITHUB_TOKEN, DB_PASS, API_KEY. PWD and OLDPWD are not
// credentials.
[[nodiscard]] bool looks_like_credential(std::string_view variable_name);

// For values that are removed wherever they occur in the output. Removing too much would garble it,
// so this is stricter: if the name can also be that of a setting (SSL_CERT_FILE, XDG_SESSION_TYPE),
// an absolute path or a value of fewer than 8 bytes is not a secret.
[[nodiscard]] bool is_credential(std::string_view variable_name, std::string_view value);

// looks_like_credential(), or the value is a URL with user info, which is a secret under any name.
[[nodiscard]] bool may_hold_secret(std::string_view variable_name, std::string_view value);

}  // namespace bawn
