// Assignments: a name that announces a secret, a sign that assigns, and the value.
//
//   password=hunter2   "api_key": "..."   --token x   <secret>x</secret>   ?sig=...
//   Authorization: ...
#include <algorithm>
#include <array>
#include <optional>

#include "capture/redaction/name.h"
#include "capture/redaction/rule.h"
#include "capture/redaction/value.h"

namespace bawn::redaction {
namespace {

constexpr CharSet kLineEnd("\n");
constexpr CharSet kValueEnd = kSpaceAndControls.with("\"'`&");
constexpr CharSet kParameterEnd = kValueEnd.with("#<>\\");
constexpr CharSet kElementEnd("<\n");
constexpr CharSet kScheme("-A-Za-z0-9_");
constexpr CharSet kPunctuation(",.;:!");
constexpr CharSet kStringPrefix("bBfFrRuUL@");
constexpr CharSet kBackslash("\\");
constexpr CharSet kType("-A-Za-z0-9_.<>[]|?&* :");
constexpr CharSet kOpening("{[(<");
constexpr CharSet kNameOfVariable("A-Z0-9_");
constexpr CharSet kYamlMark("|>#*&:");

// A value in the text, and how it goes on if it is longer than the text.
struct Value {
  std::size_t begin = 0;
  std::size_t end = 0;
  Ending ending;
  bool in_quotes = false;
};

// Stops after kJudged bytes. A longer value is certainly a secret, and only then is its end
// searched.
Value until(std::string_view text, std::size_t begin, const CharSet& stop) {
  return {begin, begin + run_until(text.substr(begin, kJudged + 1), stop), {&stop, {}}};
}

bool is_long(const Value& value) { return value.end - value.begin > kJudged; }

Value whole(std::string_view text, Value value) {
  if (is_long(value) && value.ending.stop != nullptr) {
    value.end += run_until(text.substr(value.end), *value.ending.stop);
  }
  return value;
}

Value rest_of_line(std::string_view text, std::size_t begin) {
  std::size_t end = text.size();
  while (end > begin && text[end - 1] == '\r') --end;
  return {begin, end, {&kLineEnd, {}}};
}

Value quoted_value(std::string_view text, std::size_t begin, Quote quote) {
  std::size_t at = begin;
  for (;;) {
    at = std::min(text.find(quote.mark, at), text.size());
    if (at == text.size()) break;
    std::size_t slashes = 0;
    while (at - slashes > begin && text[at - slashes - 1] == '\\') ++slashes;
    if (quote.closes(quote.mark, slashes)) {
      at -= std::min(slashes, quote.depth);
      break;
    }
    ++at;
  }
  return {begin, at, {nullptr, quote}, true};
}

// The opening quote at `at`, after backslashes and string prefixes such as b"", rb"", f"" and @"".
std::optional<Value> value_in_quotes(std::string_view text, std::size_t at) {
  std::size_t letters = run_of(text.substr(at, 2), kStringPrefix);
  if (letters != 0 &&
      (at + letters >= text.size() || (text[at + letters] != '"' && text[at + letters] != '\''))) {
    letters = 0;
  }
  at += letters;
  const std::size_t depth = run_of(text.substr(at), kBackslash);
  at += depth;
  if (at >= text.size() || !kQuotes.has(text[at])) return std::nullopt;
  const Quote quote{text[at], depth};
  const bool triple = text.substr(at).starts_with("\"\"\"") || text.substr(at).starts_with("'''");
  return quoted_value(text, at + (triple ? 3 : 1), quote);
}

// A closing bracket whose opening bracket is before the value does not belong to the value.
void trim_closers(std::string_view text, Value& value) {
  constexpr std::array<std::string_view, 4> kPairs{"()", "[]", "{}", "<>"};
  while (value.end > value.begin) {
    const std::string_view shown = text.substr(value.begin, value.end - value.begin);
    const bool unopened = std::any_of(kPairs.begin(), kPairs.end(), [&](std::string_view pair) {
      return shown.ends_with(pair[1]) && shown.find(pair[0]) == std::string_view::npos;
    });
    if (!unopened && !shown.ends_with(',') && !shown.ends_with(';')) return;
    --value.end;
  }
}

// `token: str = "abc"`: the value that counts follows the type.
std::size_t skip_type(std::string_view text, std::size_t at) {
  const std::size_t type = run_of(text.substr(at, 64), kType);
  const std::size_t equals = text.substr(at, type + 1).find('=');
  if (equals == std::string_view::npos || equals == 0 || !is_blank(text[at + equals - 1]))
    return at;
  if (text.substr(at + equals).starts_with("==") || text.substr(at + equals).starts_with("=>"))
    return at;
  return skip_blanks(text, at + equals + 1);
}

bool never_a_secret(std::string_view value) {
  return value.empty() || is_reference(value) || is_plain_word(value);
}

bool is_secret_in_quotes(Role role, std::string_view value) {
  if (value.size() > kJudged) return true;
  if (never_a_secret(value) || has_interpolation(value) || is_label(value) || is_path(value))
    return false;
  if (value.find("://") != std::string_view::npos) return false;
  if (role == Role::password || role == Role::pass) return value.size() >= 3;
  return !is_number(value) && !is_colour(value) && (looks_random(value, 6) || value.size() >= 8);
}

// "password: must be long": a word that is followed by more words.
bool is_prose(std::string_view value, std::string_view rest) {
  return is_wordlike(value) && rest.size() >= 2 && is_blank(rest[0]) && is_letter(rest[1]);
}

// `password = other;`, `user, password = a, b`, `x = password = y = 0`.
bool is_statement(std::string_view rest) {
  return rest.starts_with(';') || rest.starts_with(',') || rest.starts_with(" =");
}

bool is_bare_secret(const Named& named, Sign sign, std::string_view value, std::string_view rest) {
  if (value.size() > kJudged) return true;
  if (never_a_secret(value) || is_path(value) || kOpening.has(value[0])) return false;
  if (sign != Sign::equals && kYamlMark.has(value[0])) return false;
  if (value.find("://") != std::string_view::npos) return false;
  const bool password = named.role == Role::password || named.role == Role::pass;
  if (sign == Sign::comma) return false;
  if (named.role == Role::pass && named.prefix.empty() && sign != Sign::equals &&
      is_wordlike(value))
    return false;
  if (named.in_netrc && sign == Sign::blank && (is_wordlike(value) || !rest.empty())) return false;
  if (is_number(value)) return value.size() >= (password ? 4U : 10U);
  if (!password) return looks_random(value, 8);
  if (sign == Sign::equals) return value.size() >= 3;
  if (sign == Sign::colon && is_wordlike(value) && rest.starts_with('"')) return false;
  if (is_prose(value, rest) || (is_wordlike(value) && is_statement(rest))) return false;
  if (sign != Sign::blank || !is_wordlike(value)) return value.size() >= 3;
  return value.size() >= 6 && (rest.empty() || rest.starts_with(" -"));
}

// `env` prints a value unquoted to the end of the line, whatever it contains.
std::optional<Value> environment_value(std::string_view text, const Named& named, std::size_t at) {
  const Value value = rest_of_line(text, at);
  const std::string_view shown = text.substr(at, value.end - at);
  if (const auto quoted = value_in_quotes(text, at); quoted && quoted->end + 1 == value.end) {
    return is_secret_in_quotes(Role::password,
                               text.substr(quoted->begin, quoted->end - quoted->begin))
               ? quoted
               : std::nullopt;
  }
  if (never_a_secret(shown) || is_path(shown) || is_expression(shown) || has_interpolation(shown)) {
    return std::nullopt;
  }
  if (shown.substr(0, kJudged).find("://") != std::string_view::npos) return std::nullopt;
  if (is_number(shown) && shown.size() < (named.role == Role::password ? 4U : 10U))
    return std::nullopt;
  if (shown[0] == '$' && is_reference(shown.substr(0, run_until(shown, kSpaceAndControls))))
    return std::nullopt;
  return value;
}

// `"token=" + x`, `"Password: ", y`: the quote after the name ended a string.
bool is_behind_string(std::string_view shown) {
  return shown.starts_with(" +") || shown.starts_with(", ") || shown.starts_with(")") ||
         shown.starts_with(" %");
}

// True for 'x1' in `define('DB_PASSWORD', 'x1')`, false for a list of names or a default in words.
bool is_secret_argument(std::string_view value) {
  return looks_random(value, 6) && run_of(value, kNameOfVariable) != value.size();
}

std::optional<Value> assigned_value(const Around& around, const Named& named, Separator separator) {
  const std::string_view text = around.after;
  const std::size_t at =
      separator.sign == Sign::colon ? skip_type(text, separator.end) : separator.end;
  if (separator.sign == Sign::equals && named.starts_line)
    return environment_value(text, named, at);
  if (separator.sign == Sign::element) {
    const Value value = until(text, at, kElementEnd);
    const std::string_view shown = text.substr(at, value.end - at);
    const bool closed = is_long(value) || text.substr(value.end).starts_with("</");
    return closed && is_secret_in_quotes(named.role, shown) ? std::optional(value) : std::nullopt;
  }
  if (auto value = value_in_quotes(text, at)) {
    const std::string_view shown = text.substr(value->begin, value->end - value->begin);
    if (is_behind_string(shown) || (named.open_quote && value->ending.quote.mark == named.before)) {
      return std::nullopt;
    }
    if (separator.sign == Sign::comma && !is_secret_argument(shown)) return std::nullopt;
    return is_secret_in_quotes(named.role, shown) ? value : std::nullopt;
  }
  if (is_expression(text.substr(at))) return std::nullopt;
  Value value = until(text, at, kValueEnd);
  if (!is_long(value)) trim_closers(text, value);
  const std::string_view shown = text.substr(at, value.end - at);
  return is_bare_secret(named, separator.sign, shown, text.substr(value.end)) ? std::optional(value)
                                                                              : std::nullopt;
}

// `{token}`, `<token>`, also percent-encoded.
bool is_template(std::string_view value) {
  return value[0] == '{' || starts_with_folded(value, "%7b") || starts_with_folded(value, "%3c");
}

std::optional<Value> parameter_value(const Around& around, const Named& named,
                                     Separator separator) {
  const std::size_t at = separator.end;
  Value value = until(around.after, at, kParameterEnd);
  if (is_long(value)) return value;
  if (separator.encoded) {
    value.end = at + std::min(around.after.substr(at, value.end - at).find("%26"), value.end - at);
  }
  trim_closers(around.after, value);
  const std::string_view shown = around.after.substr(at, value.end - at);
  if (never_a_secret(shown) || has_interpolation(shown) || is_template(shown)) return std::nullopt;
  const bool vague =
      named.prefix.empty() && named.role != Role::password && named.role != Role::token;
  if (vague && !looks_random(shown, 6)) return std::nullopt;
  return value;
}

constexpr std::string_view kSchemes[] = {
#define BAWN_SCHEME(name, ...) name,
#include "capture/redaction/rule.inc"
};

// Of the scheme and the blanks behind it; 0 if it is none that is known.
std::size_t scheme_length(std::string_view value) {
  const std::size_t word = run_of(value, kScheme);
  if (word >= value.size() || !is_blank(value[word])) return 0;
  const bool known = std::any_of(std::begin(kSchemes), std::end(kSchemes), [&](auto scheme) {
    return equal_folded(value.substr(0, word), scheme);
  });
  return known ? word + run_of(value.substr(word), kBlanks) : 0;
}

// "Authorization: required by the server" is prose. A credential without a digit is long and the
// only word.
bool is_credential(std::string_view first, std::string_view shown) {
  const std::string_view word = first.substr(0, run_until(first, kPunctuation));
  if (!is_wordlike(word) || is_basic_pair(first)) return true;
  return first.size() == shown.size() && first.size() >= 12 && !mentions_secret(first);
}

std::optional<Value> header_value(const Around& around, const Named& named, std::size_t at) {
  const std::string_view text = around.after;
  std::optional<Value> value = value_in_quotes(text, at);
  if (!value && named.open_quote) value = quoted_value(text, at, {named.before, 0});
  if (!value) value = rest_of_line(text, at);
  const std::size_t scheme = scheme_length(text.substr(value->begin, value->end - value->begin));
  value->begin += scheme;
  const std::string_view shown = text.substr(value->begin, value->end - value->begin);
  if (never_a_secret(shown) || has_interpolation(shown)) return std::nullopt;
  const std::string_view first = shown.substr(0, run_until(shown, kSpaceAndControls));
  if (named.role == Role::cookie) {
    return shown.find('=') == std::string_view::npos || is_expression(shown) ? std::nullopt : value;
  }
  if (is_reference(first) || (scheme == 0 && !value->in_quotes && is_expression(shown)))
    return std::nullopt;
  if (shown.size() == 1 && kOpening.has(shown[0])) return std::nullopt;
  return is_credential(first, shown) ? value : std::nullopt;
}

}  // namespace

void find_assignment(const Around& around, FoundSecrets& secrets) {
  const std::optional<Named> named = name_around(around);
  if (!named) return;
  const std::optional<Separator> separator = separator_after(around.after, *named);
  if (!separator || !names_a_secret(*named, separator->sign, around.after[0])) return;
  const bool header = named->role == Role::header || named->role == Role::cookie;
  const bool parameter = is_parameter(*named, separator->sign);
  const auto seen = header      ? header_value(around, *named, separator->end)
                    : parameter ? parameter_value(around, *named, *separator)
                                : assigned_value(around, *named, *separator);
  if (!seen || seen->begin == seen->end) return;
  const Value value = whole(around.after, *seen);
  const Kind kind = header      ? Kind::authorization
                    : parameter ? Kind::url_parameter
                                : Kind::assignment;
  const bool goes_on = around.open && value.end == around.after.size();
  secrets.push_back({kind, value.begin, value.end, goes_on, value.ending});
}

}  // namespace bawn::redaction
