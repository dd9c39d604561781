// Tokens with a known prefix, and credentials after a word that announces them.
#include <algorithm>

#include "capture/redaction/rule.h"
#include "capture/redaction/value.h"

namespace bawn::redaction {
namespace {

constexpr CharSet kAlnum("A-Za-z0-9");
constexpr CharSet kUpperDigits("A-Z0-9");
constexpr CharSet kLowerHex("0-9a-f");
constexpr CharSet kUrlSafe("-A-Za-z0-9_");
constexpr CharSet kDotted("-A-Za-z0-9_.");
constexpr CharSet kDashed("-A-Za-z0-9");
constexpr CharSet kCredential("-A-Za-z0-9._~+/=");

constexpr CharSet kNotCredential = kCredential.inverted();
constexpr CharSet kNotDotted = kDotted.inverted();
constexpr CharSet kUserName("-A-Za-z0-9_.@+");
constexpr CharSet kQuote("\"'`");

struct Shape {
  std::string_view prefix;
  const CharSet* body;
  std::size_t shortest;  // bytes after the prefix
};

constexpr Shape kShapes[] = {
#define BAWN_TOKEN(prefix, body, shortest, ...) {prefix, &body, shortest},
#include "capture/redaction/rule.inc"
};

// A style sheet has `sk-fading-circle-indicator`; a real key has digits and capitals.
bool is_convincing(const Shape& shape, std::string_view body) {
  if (!shape.prefix.ends_with('-')) return true;
  body = body.substr(0, kJudged);
  return std::any_of(body.begin(), body.end(), is_digit) &&
         std::any_of(body.begin(), body.end(), is_letter) &&
         (shape.prefix != "sk-" || std::any_of(body.begin(), body.end(), is_upper));
}

// If the token is longer than what the rule sees, every following byte that any token may contain
// is swallowed.
Found token_up_to(const Around& around, std::size_t end) {
  const bool goes_on = around.open && end == around.after.size();
  return {Kind::token, 0, end, goes_on, {&kNotDotted, {}}};
}

// Long enough, or cut off by the end of the stream.
bool is_long_enough(const Around& around, const Shape& shape, std::size_t body) {
  constexpr std::size_t kShortestFront = 4;
  const bool cut = around.last && shape.prefix.size() + body == around.after.size();
  return body >= (cut ? kShortestFront : shape.shortest);
}

// header.payload.signature, each in base64url. Header and payload are JSON objects that start with
// `{"`, which is eyJ in base64.
std::size_t jwt_length(const Around& around) {
  constexpr std::size_t kShortest = 8;
  const std::string_view text = around.after;
  const std::size_t header = run_of(text, kUrlSafe);
  if (header < kShortest || header == text.size() || text[header] != '.') return 0;
  const std::size_t payload = run_of(text.substr(header + 1), kUrlSafe);
  if (payload < kShortest) return 0;
  const std::size_t end = header + 1 + payload;
  if (end == text.size()) return around.open || around.last ? end : 0;
  return text[end] == '.' ? end + run_of(text.substr(end), kDotted) : 0;
}

}  // namespace

void find_known_token(const Around& around, FoundSecrets& secrets) {
  if (!at_word_start(around)) return;
  const std::string_view text = around.after;
  const bool in_dashed_word = around.before.ends_with('-');
  if (text.starts_with("eyJ") && !in_dashed_word) {
    if (const std::size_t end = jwt_length(around); end != 0)
      secrets.push_back(token_up_to(around, end));
    return;
  }
  for (const Shape& shape : kShapes) {
    if (text[0] != shape.prefix[0] || !text.starts_with(shape.prefix)) continue;
    if (shape.prefix == "sk-" && in_dashed_word) return;
    const std::string_view rest = text.substr(shape.prefix.size());
    const std::size_t judged = run_of(rest.substr(0, shape.shortest + kJudged), *shape.body);
    if (!is_long_enough(around, shape, judged) || !is_convincing(shape, rest.substr(0, judged)))
      return;
    const std::size_t body = judged + run_of(rest.substr(judged), *shape.body);
    secrets.push_back(token_up_to(around, shape.prefix.size() + body));
    return;
  }
}

void find_bare_credential(const Around& around, FoundSecrets& secrets) {
  if (!at_word_start(around)) return;
  const std::string_view text = around.after;
  const bool bearer = starts_with_folded(text, "bearer");
  if (!bearer && !starts_with_folded(text, "basic")) return;
  const std::size_t word = bearer ? 6 : 5;
  const std::size_t blanks = run_of(text.substr(word), kBlanks);
  if (blanks == 0) return;
  const std::size_t begin = word + blanks;
  const std::string_view rest = text.substr(begin);
  const std::string_view value = rest.substr(0, run_of(rest, bearer ? kCredential : kBase64));
  const bool secret = bearer ? looks_random(value, 12) : value.size() >= 8 && is_basic_pair(value);
  if (!secret) return;
  const std::size_t end = begin + value.size();
  secrets.push_back(
      {Kind::authorization, begin, end, around.open && end == text.size(), {&kNotCredential, {}}});
}

// `curl -u bob:s3cret`. Not `docker run -u node:node` or `-u 1000:1000`, where a word or a number
// names the group.
void find_user_option(const Around& around, FoundSecrets& secrets) {
  const std::string_view text = around.after;
  if (!around.before.empty() && !kWordEnd.has(around.before.back())) return;
  std::size_t at = text.starts_with("--user") ? 6 : 2;
  if (!text.starts_with(at == 6 ? "--user" : "-u")) return;
  const std::size_t gap = run_of(text.substr(at), at == 6 ? kBlanks.with("=") : kBlanks);
  if (gap == 0) return;
  at += gap + run_of(text.substr(at + gap, 1), kQuote);
  const std::size_t colon = at + run_of(text.substr(at, kJudged), kUserName);
  if (colon == at || colon >= text.size() || text[colon] != ':') return;
  const std::size_t begin = colon + 1;
  const std::size_t end = begin + run_until(text.substr(begin), kWordEnd);
  const std::string_view value = text.substr(begin, end - begin);
  if (value.size() < 3 || value[0] == '/' || is_number(value) || is_wordlike(value)) return;
  if (is_reference(value) || is_plain_word(value) || has_interpolation(value)) return;
  secrets.push_back(
      {Kind::authorization, begin, end, around.open && end == text.size(), {&kWordEnd, {}}});
}

}  // namespace bawn::redaction
