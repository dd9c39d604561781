// Decides whether a value is a secret, or a reference, code, a placeholder, a type or a word of
// prose.
//
// In doubt a value counts as a secret. Nothing longer than kJudged bytes is a placeholder, so most
// functions look at the first kJudged bytes only. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace bawn::redaction {

inline constexpr std::size_t kJudged = 256;

// `$TOKEN`, `${TOKEN}`, `%TOKEN%`, `{{ token }}`, `<your-token>`, `[hidden]`, `****`, `...`: the
// whole value refers to something else or masks it. Also true for the markers of redaction itself.
[[nodiscard]] bool is_reference(std::string_view value);

// "Bearer ${TOKEN}", "{{user}}:{{password}}": the text has a part that is filled in later.
[[nodiscard]] bool has_interpolation(std::string_view value);

// `null`, `true`, `string`, `required`, `changeme`, `your-api-key`: a word that is no secret.
[[nodiscard]] bool is_plain_word(std::string_view value);

// `get_token()`, `process.env.TOKEN`, `os.environ["TOKEN"]`, `user_password`, `Option<String>`.
// More text may follow the expression.
[[nodiscard]] bool is_expression(std::string_view text);

// `/etc/ssl/private/key.pem`, `./id`, `C:\keys`.
[[nodiscard]] bool is_path(std::string_view value);

// "Enter your password": words about a secret, without a digit.
[[nodiscard]] bool is_label(std::string_view value);

// "#d8dee9".
[[nodiscard]] bool is_colour(std::string_view value);

// Letters, dashes and underscores only.
[[nodiscard]] bool is_wordlike(std::string_view value);
// Digits, points, commas and percent signs only; also true for "".
[[nodiscard]] bool is_number(std::string_view value);

// At least `shortest` bytes that do not read like a word: letters with digits, or a long run of
// digits or of base64.
[[nodiscard]] bool looks_random(std::string_view value, std::size_t shortest);

// True for the base64 form of "user:password": it decodes to text without controls that has a
// colon. "Authentication" does not.
[[nodiscard]] bool is_basic_pair(std::string_view text);

// True if "password", "token", "key" or a similar word occurs in `text`, in any case.
[[nodiscard]] bool mentions_secret(std::string_view text);

}  // namespace bawn::redaction
