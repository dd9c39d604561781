// Recognises the name of a secret and the sign that assigns a value to it: `"api_key": `, `--token
// `, `?sig=`.
//
// It decides by the name alone; capture/redaction/value.h judges the value. Pure functions on
// borrowed text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "capture/redaction/rule.h"

namespace bawn::redaction {

// What the last word of the name says about the value.
enum class Role : std::uint8_t {
  password,  // any value may be the secret
  // A password, but "PASS: test" is none: only in a longer name, in quotes or with '='.
  pass,
  token,      // the value must look like a secret; "unexpected token: word" is prose
  key,        // as token, and only after a word such as "api", or as ?key= in a URL
  auth,       // as token, and only as a part of the name: auth, db_auth, dbAuth
  header,     // the value is the rest of the line
  cookie,     // as header
  parameter,  // in a URL only
};

// A name and its surroundings. Borrows from the text.
struct Named {
  Role role;
  std::string_view prefix;   // the part of the name before the word
  std::size_t end;           // where the name ends
  char before = '\0';        // the byte before the name; '\0' if unknown
  bool starts_line = false;  // KEY= at the start of a line, as `env` prints it
  // `login bob password x`, or the word at the start of a line: a blank is enough as a sign.
  bool in_netrc = false;
  // The name is the start of a quoted string that goes on after it: "Password: ".
  bool open_quote = false;
  [[nodiscard]] bool quoted() const { return before == '"' || before == '\'' || before == '`'; }
};

enum class Sign : std::uint8_t { equals, spaced_equals, colon, comma, blank, element };

struct Separator {
  Sign sign;
  std::size_t end;       // where the value starts
  bool encoded = false;  // the sign was %3D
};

// The name whose last word starts at the trigger (the front of around.after).
[[nodiscard]] std::optional<Named> name_around(const Around& around);
// The sign after the name; nothing if the text assigns no value (`==`, `=~`, `::`, plain text).
[[nodiscard]] std::optional<Separator> separator_after(std::string_view text, const Named& named);

// True for a parameter in the query or fragment of a URL.
[[nodiscard]] bool is_parameter(const Named& named, Sign sign);

// True if a name written like this may have a secret as its value. `first` is the first byte of its
// word.
[[nodiscard]] bool names_a_secret(const Named& named, Sign sign, char first);

// The position after the blanks at `at`, at most 64 of them.
[[nodiscard]] std::size_t skip_blanks(std::string_view text, std::size_t at);

}  // namespace bawn::redaction
