// The redaction rules: where they look, what they see, what they find.
//
// rule.inc has the rules that are data, and the cases of all rules. A trigger is the first bytes of
// what announces a secret; it only says which rules to try there, and most hits are no secrets.
//
// A rule is called where its trigger was found. It sees the rest of the line up to kLookAhead bytes
// and at most kLookBehind bytes before the trigger, and nothing else. So its result does not depend
// on how the stream was cut into chunks, and each near miss costs a bounded amount of work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/redaction/anchor.h"
#include "capture/redaction/characters.h"

namespace bawn::redaction {

inline constexpr std::size_t kLookBehind = 128;
inline constexpr std::size_t kLookAhead = 4096;

// The groups of triggers.
inline constexpr Groups kNameGroups = 0x01ff;  // words that name a secret
inline constexpr Groups kUrlGroup = 0x0200;
inline constexpr Groups kCredentialGroup = 0x0400;
inline constexpr Groups kKeyBlockGroup = 0x0800;
// Rare triggers share a bit with others; then more than one rule is tried.
inline constexpr Groups kUserOptionGroup = kKeyBlockGroup;
inline constexpr Groups kPasswordOptionGroup = kUrlGroup;
inline constexpr Groups kPgpassGroups = kCredentialGroup | kKeyBlockGroup;
inline constexpr Groups kTokenGroups = 0xf000;

// The first position in text[from, to) at which a trigger may start. A trigger that does not end
// inside `text` is not found.
[[nodiscard]] AnchorHit next_trigger(std::string_view text, std::size_t from, std::size_t to);

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

// The text that replaces a secret in the output.
constexpr std::string_view marker(Kind kind) {
  constexpr std::array<std::string_view, kKindNames.size()> kMarkers{
      "[redacted:url_userinfo]",  "[redacted:url_parameter]", "[redacted:url_path]",
      "[redacted:authorization]", "[redacted:assignment]",    "[redacted:private_key]",
      "[redacted:token]",         "[redacted:literal]",
  };
  return kMarkers[static_cast<std::size_t>(kind)];
}

// The text around a trigger, borrowed for the duration of the call.
struct Around {
  // At most kLookBehind bytes; empty right after a secret that was removed. It may reach into the
  // previous line, so the start of a line is visible as a '\n' here.
  std::string_view before;
  std::string_view after;  // from the trigger on, without the line break
  bool open = false;       // `after` was cut at kLookAhead and the line goes on
  // `after` ends with the stream. A quota or a kill may have cut it there, so the start of a secret
  // counts as a secret.
  bool last = false;
  bool behind_sequence = false;  // an escape sequence precedes; it is not in `before`
};

// How a quoted string ends. `depth` is the number of backslashes before the opening quote: a string
// inside a JSON string starts with \" and ends with \".
struct Quote {
  char mark = '\0';
  std::size_t depth = 0;

  [[nodiscard]] constexpr bool closes(char c, std::size_t backslashes) const {
    return c == mark && (backslashes < depth || backslashes % (2 * (depth + 1)) == depth);
  }
};

// Where a secret ends that is longer than what the rule could see. A line break always ends it.
struct Ending {
  // Null: it ends at the closing quote, or at the line break if there is no quote.
  const CharSet* stop = nullptr;
  Quote quote;
};

// A secret. Positions count from the start of `Around::after`.
struct Found {
  Kind kind = Kind::token;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool goes_on = false;  // the secret is longer than `after`; `ending` says where it ends
  Ending ending;
};

using FoundSecrets = std::vector<Found>;

// The rules. Each appends what it found, in order, and reports nothing else.
void find_assignment(const Around& around, FoundSecrets& secrets);   // at a word such as "password"
void find_url_secret(const Around& around, FoundSecrets& secrets);   // at "://"
void find_known_token(const Around& around, FoundSecrets& secrets);  // at the first byte of a token
void find_bare_credential(const Around& around, FoundSecrets& secrets);  // at "Bearer" or "Basic"
void find_user_option(const Around& around, FoundSecrets& secrets);      // at "-u " or "--user"
void find_password_option(const Around& around, FoundSecrets& secrets);  // at "-p"
void find_pgpass_line(const Around& around, FoundSecrets& secrets);      // at the ':' before a port

// "BEGIN" is at the front of `after`. The position after "-----BEGIN ... PRIVATE KEY-----" if it is
// part of that, else 0.
[[nodiscard]] std::size_t end_of_key_header(const Around& around);

// True if the "-END" at the front of `after` is part of "-----END ... PRIVATE KEY-----".
[[nodiscard]] bool is_key_end(const Around& around);

// True if the trigger starts a word. A word also starts after `\n` in an escaped string, after %3D
// in a URL and after an escape sequence.
[[nodiscard]] bool at_word_start(const Around& around);

}  // namespace bawn::redaction
