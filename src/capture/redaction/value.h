// Is this the value of a secret, or does it only stand where one could: a reference, code, a
// placeholder, a type, a word of prose?
//
// In doubt a value counts as a secret. All questions look at the first kJudged bytes only: nothing
// that long is a placeholder.
#pragma once

#include <cstddef>
#include <string_view>

namespace bawn::redaction {

inline constexpr std::size_t kJudged = 256;

// `$TOKEN`, `${TOKEN}`, `%TOKEN%`, `{{ token }}`, `<your-token>`, `[hidden]`, `****`, `...`: the
// whole value points elsewhere or hides what was there. Also what redaction itself left.
[[nodiscard]] bool is_reference(std::string_view value);

// "Bearer ${TOKEN}", "{{user}}:{{password}}": text around something that is filled in later.
[[nodiscard]] bool has_interpolation(std::string_view value);

// `null`, `true`, `string`, `required`, `changeme`, `your-api-key`: says nothing.
[[nodiscard]] bool is_plain_word(std::string_view value);

// `get_token()`, `process.env.TOKEN`, `os.environ["TOKEN"]`, `user_password`, `Option<String>`.
// `text` may go on behind the expression.
[[nodiscard]] bool is_expression(std::string_view text);

// `/etc/ssl/private/key.pem`, `./id`, `C:\keys`.
[[nodiscard]] bool is_path(std::string_view value);

// "Enter your password": words about a secret.
[[nodiscard]] bool is_label(std::string_view value);

// "#d8dee9".
[[nodiscard]] bool is_colour(std::string_view value);

// Letters, dashes and underscores only.
[[nodiscard]] bool is_wordlike(std::string_view value);
[[nodiscard]] bool is_number(std::string_view value);

// At least `shortest` bytes that do not read like a word.
[[nodiscard]] bool looks_random(std::string_view value, std::size_t shortest);

// Base64 of "user:password": printable, with a colon. "Authentication" is none.
[[nodiscard]] bool is_basic_pair(std::string_view text);

// "password", "token", "key" ... somewhere in `text`, in any case.
[[nodiscard]] bool mentions_secret(std::string_view text);

}  // namespace bawn::redaction
