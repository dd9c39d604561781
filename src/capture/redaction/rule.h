// What a rule of redaction sees and what it answers.
//
// A rule is called where its trigger stands in the text. It may look at a bounded piece of the same
// line and at nothing else, so its answer does not depend on how the stream was cut into chunks,
// and a stream of near-misses costs a bounded amount of work for each of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/redaction/characters.h"

namespace bawn::redaction {

inline constexpr std::size_t kLookBehind = 128;
inline constexpr std::size_t kLookAhead = 4096;

enum class Kind : std::uint8_t {
  url_userinfo,
  url_parameter,
  url_path,
  authorization,
  assignment,
  private_key,
  token,
  literal,
};

inline constexpr std::array<std::string_view, 8> kKindNames{
    "url_userinfo", "url_parameter", "url_path", "authorization",
    "assignment",   "private_key",   "token",    "literal",
};

constexpr std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

// What stands for a secret in the output.
constexpr std::string_view marker(Kind kind) {
  constexpr std::array<std::string_view, kKindNames.size()> kMarkers{
      "[redacted:url_userinfo]",  "[redacted:url_parameter]", "[redacted:url_path]",
      "[redacted:authorization]", "[redacted:assignment]",    "[redacted:private_key]",
      "[redacted:token]",         "[redacted:literal]",
  };
  return kMarkers[static_cast<std::size_t>(kind)];
}

struct Around {
  // At most kLookBehind bytes; empty right behind a secret that was just removed. Reaches into the
  // line before, so that the start of a line shows as a '\n' here.
  std::string_view before;
  std::string_view after;  // from the trigger on, without the end of the line
  bool open = false;       // `after` was cut at kLookAhead and the line goes on
  // `after` ends where the stream does. A quota or a kill may have cut it there, so the front of a
  // secret counts as one.
  bool last = false;
  bool behind_sequence = false;  // of a terminal, which is not in `before`
};

// Where a string in quotes ends. `depth` is the number of backslashes before the opening quote: a
// string inside a JSON string starts with \" and ends with \".
struct Quote {
  char mark = '\0';
  std::size_t depth = 0;

  [[nodiscard]] constexpr bool closes(char c, std::size_t backslashes) const {
    return c == mark && (backslashes < depth || backslashes % (2 * (depth + 1)) == depth);
  }
};

// How a secret goes on that is longer than what the rule could see. The end of the line always ends
// it.
struct Ending {
  const CharSet* stop =
      nullptr;  // null: at the closing quote, or if there is none at the end of the line
  Quote quote;
};

// A secret; positions count from the start of `Around::after`.
struct Found {
  Kind kind = Kind::token;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool goes_on = false;
  Ending ending;
};

using FoundSecrets = std::vector<Found>;

// Each appends what it found, in order.
void find_assignment(const Around& around, FoundSecrets& secrets);   // at a word such as "password"
void find_url_secret(const Around& around, FoundSecrets& secrets);   // at "://"
void find_known_token(const Around& around, FoundSecrets& secrets);  // at the first byte of a token
void find_bare_credential(const Around& around, FoundSecrets& secrets);  // at "Bearer" or "Basic"
void find_user_option(const Around& around, FoundSecrets& secrets);      // at "-u " or "--user"
void find_password_option(const Around& around, FoundSecrets& secrets);  // at "-p"
void find_pgpass_line(const Around& around, FoundSecrets& secrets);      // at the ':' before a port

// The position behind "-----BEGIN ... PRIVATE KEY-----" if "BEGIN" at the front of `after` is part
// of it; 0 if not.
[[nodiscard]] std::size_t end_of_key_header(const Around& around);

// "-END" at the front of `after` is part of "-----END ... PRIVATE KEY-----".
[[nodiscard]] bool is_key_end(const Around& around);

// True if the trigger begins a word: also behind `\n` in an escaped string, behind %3D in a URL and
// behind an escape sequence of a terminal.
[[nodiscard]] bool at_word_start(const Around& around);

}  // namespace bawn::redaction
