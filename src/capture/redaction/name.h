// The name of a secret in the text, and the sign that gives it a value: `"api_key": `, `--token `,
// `?sig=`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "capture/redaction/rule.h"

namespace bawn::redaction {

enum class Role : std::uint8_t {
  password,  // any value may be the secret
  pass,   // a password, but also "PASS: test": only as part of a longer name, in quotes or with '='
  token,  // the value has to look like a secret; "unexpected token: word" is prose
  key,    // as token, and only behind a word such as "api"
  auth,   // as token, and only as a word of its own
  header,     // the value is the rest of the line
  cookie,     // as header
  parameter,  // in a URL only
};

// A name with its word, and what stands around it.
struct Named {
  Role role;
  std::string_view prefix;   // the part of the name before the word
  std::size_t end;           // where the name ends
  char before = '\0';        // the byte before the name; '\0' if it is not known
  bool starts_line = false;  // KEY= at the start of a line, as `env` prints it
  bool in_netrc = false;     // `login bob password x`, or at the start of a line: a blank is enough
  bool open_quote = false;   // the name starts a string that does not end with it: "Password: "
  [[nodiscard]] bool quoted() const { return before == '"' || before == '\'' || before == '`'; }
};

enum class Sign : std::uint8_t { equals, spaced_equals, colon, comma, blank, element };

struct Separator {
  Sign sign;
  std::size_t end;       // where the value starts
  bool encoded = false;  // %3D
};

// The name whose last word starts at the trigger.
[[nodiscard]] std::optional<Named> name_around(const Around& around);
[[nodiscard]] std::optional<Separator> separator_after(std::string_view text, const Named& named);

// In a query or a fragment.
[[nodiscard]] bool is_parameter(const Named& named, Sign sign);

// May this name, written like this, have a secret for a value? `first` is the first byte of its
// word.
[[nodiscard]] bool names_a_secret(const Named& named, Sign sign, char first);

// The position behind blanks, and behind the colour sequences that `grep --color` puts around a
// word.
[[nodiscard]] std::size_t skip_blanks(std::string_view text, std::size_t at);

}  // namespace bawn::redaction
