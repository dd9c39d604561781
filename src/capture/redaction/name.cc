#include "capture/redaction/name.h"

#include <algorithm>

namespace bawn::redaction {
namespace {

struct SecretWord {
  std::string_view text;
  Role role;
};

constexpr SecretWord kSecretWords[] = {
#define BAWN_NAME(word, role, ...) {word, Role::role},
#include "capture/redaction/rule.inc"
};

constexpr std::string_view kKeyQualifiers[] = {
#define BAWN_KEY_QUALIFIER(word, ...) word,
#include "capture/redaction/rule.inc"
};

constexpr std::string_view kNameTails[] = {
#define BAWN_NAME_TAIL(word, ...) word,
#include "capture/redaction/rule.inc"
};

constexpr CharSet kName("-A-Za-z0-9_.");
constexpr CharSet kNameTail("-A-Za-z0-9_");
constexpr CharSet kNameClosers("\\\"'`]?");
constexpr CharSet kBehindName(" \t\\\"'`]?=:>%");
constexpr CharSet kEnvironmentName("A-Z0-9_");

bool is_name_tail(std::string_view tail) {
  while (!tail.empty() && (tail[0] == '_' || tail[0] == '-')) tail.remove_prefix(1);
  if (tail.size() <= 2 && std::all_of(tail.begin(), tail.end(), is_digit)) return true;
  return std::any_of(std::begin(kNameTails), std::end(kNameTails),
                     [&](auto known) { return equal_folded(tail, known); });
}

// The word starts a part of the name: db_pass, dbPass, DB-PASS.
bool starts_part(std::string_view prefix, char first) {
  if (prefix.empty()) return true;
  return !kWord.has(prefix.back()) || prefix.back() == '_' ||
         (is_upper(first) && is_lower(prefix.back()));
}

bool is_qualified_key(std::string_view prefix) {
  if (!prefix.empty() && !kWord.has(prefix.back())) prefix.remove_suffix(1);
  if (!prefix.empty() && prefix.back() == '_') prefix.remove_suffix(1);
  return std::any_of(std::begin(kKeyQualifiers), std::end(kKeyQualifiers),
                     [&](auto qualifier) { return ends_with_folded(prefix, qualifier); });
}

// The name follows a percent-encoded `?`, `&` or `#`: a URL inside a URL.
bool starts_encoded(const Named& named) {
  if (named.before != '%') return false;
  const std::string_view code = named.prefix.substr(0, 2);
  return equal_folded(code, "3f") || code == "26" || code == "23";
}

// After "login bob", or preceded only by blanks on its line.
bool is_in_netrc(std::string_view before) {
  const auto trim = [&](const CharSet& set) {
    while (!before.empty() && set.has(before.back())) before.remove_suffix(1);
  };
  trim(kBlanks);
  if (before.ends_with('\n')) return true;
  trim(kSpaceAndControls.inverted());
  trim(kBlanks);
  return before.ends_with("login");
}

// `"name": "DB_PASSWORD", "value": "x"`, `key="ApiKey" value="x"`: where x starts, or 0.
std::size_t behind_value_word(std::string_view text, std::size_t at) {
  constexpr std::string_view kValue = "value";
  at = skip_blanks(text, at);
  if (text.substr(at).starts_with(',')) at = skip_blanks(text, at + 1);
  at += run_of(text.substr(at, 4), kNameClosers);
  if (!starts_with_folded(text.substr(at), kValue)) return 0;
  at += kValue.size();
  at = skip_blanks(text, at + run_of(text.substr(at, 4), kNameClosers));
  if (at == text.size() || (text[at] != ':' && text[at] != '=')) return 0;
  return skip_blanks(text, at + 1);
}

bool is_environment_name(std::string_view text, const Named& named) {
  return run_of(named.prefix, kEnvironmentName) == named.prefix.size() &&
         run_of(text.substr(0, named.end), kEnvironmentName) == named.end;
}

}  // namespace

std::optional<Named> name_around(const Around& around) {
  const std::string_view text = around.after;
  for (const SecretWord& word : kSecretWords) {
    if (lower(text[0]) != word.text[0] || !starts_with_folded(text, word.text)) continue;
    const std::string_view tail = text.substr(word.text.size(), 24);
    const std::size_t tail_size = run_of(tail, kNameTail);
    if (tail_size != 0 && !is_name_tail(tail.substr(0, tail_size))) return std::nullopt;
    const std::size_t end = word.text.size() + tail_size;
    if (end == text.size() || !kBehindName.has(text[end])) return std::nullopt;
    std::size_t prefix = 0;
    const std::string_view before = around.before;
    while (prefix < before.size() && kName.has(before[before.size() - 1 - prefix])) ++prefix;
    Named named{word.role, before.substr(before.size() - prefix), end};
    if (prefix < before.size()) named.before = before[before.size() - 1 - prefix];
    if (before.substr(0, before.size() - prefix).ends_with("&amp;")) named.before = '&';
    if (starts_encoded(named)) {
      named.before = '&';
      named.prefix.remove_prefix(2);
    }
    named.in_netrc = prefix == 0 && is_blank(text[end]) && starts_with_folded(word.text, "passw") &&
                     is_in_netrc(before);
    named.open_quote = named.quoted() && text[end] != named.before && text[end] != '\\';
    named.starts_line =
        (named.before == '\n' || named.before == '\r') && is_environment_name(text, named);
    return named;
  }
  return std::nullopt;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  constexpr std::size_t kFurthest = 64;
  const std::size_t limit = std::min(text.size(), at + kFurthest);
  while (at < limit && is_blank(text[at])) ++at;
  return at;
}

std::optional<Separator> separator_after(std::string_view text, const Named& named) {
  std::size_t at = named.end;
  if (text.substr(at).starts_with('>') && named.before == '<')
    return Separator{Sign::element, at + 1};
  if (starts_with_folded(text.substr(at), "%3d")) return Separator{Sign::equals, at + 3, true};
  at += run_of(text.substr(at, 8), kNameClosers);
  const std::size_t closed = at;
  if (named.quoted() && closed != named.end) {
    if (const std::size_t value = behind_value_word(text, closed); value != 0)
      return Separator{Sign::colon, value};
    if (text.substr(at).starts_with(',') && is_environment_name(text, named)) {
      return Separator{Sign::comma, skip_blanks(text, at + 1)};
    }
  }
  at = skip_blanks(text, at);
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("==") || rest.starts_with("=~") || rest.starts_with("::"))
    return std::nullopt;
  std::size_t size = 0;
  if (rest.starts_with(":=") || rest.starts_with("=>"))
    size = 2;
  else if (rest.starts_with('=') || rest.starts_with(':'))
    size = 1;
  if (size == 0) {
    const bool option =
        (named.prefix.starts_with('-') || named.in_netrc) && at != closed && closed == named.end;
    return option ? std::optional(Separator{Sign::blank, at}) : std::nullopt;
  }
  const std::size_t value = skip_blanks(text, at + size);
  if (rest[0] == ':' && size == 1) return Separator{Sign::colon, value};
  return Separator{value == named.end + 1 ? Sign::equals : Sign::spaced_equals, value};
}

bool is_parameter(const Named& named, Sign sign) {
  return sign == Sign::equals &&
         (named.before == '?' || named.before == '&' || named.before == '#');
}

bool names_a_secret(const Named& named, Sign sign, char first) {
  switch (named.role) {
    case Role::password:
    case Role::token:
      return true;
    case Role::pass:
      return starts_part(named.prefix, first) &&
             (!named.prefix.empty() || named.quoted() || sign == Sign::equals ||
              sign == Sign::element || (sign == Sign::spaced_equals && named.before == '\n'));
    case Role::key:
      return is_qualified_key(named.prefix) || (is_parameter(named, sign) && named.prefix.empty());
    case Role::auth:
    case Role::header:
      return starts_part(named.prefix, first);
    case Role::cookie:
      return sign == Sign::colon || ends_with_folded(named.prefix, "http_");
    case Role::parameter:
      return is_parameter(named, sign);
  }
  return false;
}

}  // namespace bawn::redaction
