#include "capture/redaction/value.h"

#include <algorithm>
#include <array>

#include "capture/redaction/characters.h"
#include "capture/redaction/rule.h"

namespace bawn::redaction {
namespace {

constexpr CharSet kIdentifierStart("A-Za-z_$@");
constexpr CharSet kIdentifier("A-Za-z0-9_$");
constexpr CharSet kWordlike("-A-Za-z_");
constexpr CharSet kHex("0-9A-Fa-f");
constexpr CharSet kNote("A-Za-z_: ");
constexpr CharSet kPlainPath("-a-z./_");
constexpr CharSet kNumber("0-9.,%");
constexpr CharSet kExpressionEnd = kSpaceAndControls.with(",;)]}?|");
constexpr CharSet kFirstOfSecretWords("ackpstACKPST");
constexpr CharSet kMask("*xX.#_-");
constexpr CharSet kReferenceStart = kMask.with("$e!%{<`[\xe2");
constexpr CharSet kInterpolationStart("${#%");

constexpr std::string_view kPlainWords[] = {
#define BAWN_PLAIN_WORD(word, ...) word,
#include "capture/redaction/rule.inc"
};
static_assert(std::ranges::is_sorted(kPlainWords));

constexpr std::string_view kObjects[] = {
#define BAWN_OBJECT(name, ...) name,
#include "capture/redaction/rule.inc"
};

constexpr std::string_view kSystemFolders[] = {
#define BAWN_SYSTEM_FOLDER(beginning, ...) beginning,
#include "capture/redaction/rule.inc"
};

constexpr std::string_view kWordsOfSecrets[] = {
#define BAWN_SECRET_WORD(word, ...) word,
#include "capture/redaction/rule.inc"
};

constexpr std::string_view kInterpolations[] = {
#define BAWN_INTERPOLATION(mark, ...) mark,
#include "capture/redaction/rule.inc"
};

bool is_identifier(std::string_view text) {
  return !text.empty() && kIdentifierStart.has(text[0]) && run_of(text, kIdentifier) == text.size();
}

bool enclosed(std::string_view value, std::string_view open, std::string_view close) {
  return value.size() > open.size() + close.size() && value.starts_with(open) &&
         value.ends_with(close);
}

bool is_masked(std::string_view value) {
  if (value.empty() || !kMask.has(value[0])) return false;
  const bool uniform = value.find_first_not_of(value[0]) == std::string_view::npos;
  return uniform && (value.size() >= 3 || value[0] == '*');
}

// "[redacted:token]", "[FILTERED]": only letters and a few signs inside. A secret that merely
// starts with a bracket is not a note.
bool is_note(std::string_view value) {
  if (!enclosed(value, "[", "]")) return false;
  const std::string_view inside = value.substr(1, value.size() - 2);
  return run_of(inside, kNote) == inside.size();
}

// A name such as `a.b->c::d` at the front of a text.
struct Name {
  std::size_t size = 0;
  std::size_t first = 0;  // length of its first part
  std::size_t last = 0;   // start of its last part; 0 if it has only one
};

std::size_t link_length(std::string_view text) {
  for (const std::string_view link : {"->", "::", "?.", "."}) {
    if (text.starts_with(link)) return link.size();
  }
  return 0;
}

Name name_at(std::string_view text) {
  Name name;
  if (text.empty() || !kIdentifierStart.has(text[0])) return name;
  name.first = name.size = run_of(text, kIdentifier);
  for (;;) {
    const std::size_t link = link_length(text.substr(name.size));
    if (link == 0) return name;
    const std::size_t part = run_of(text.substr(name.size + link), kIdentifier);
    if (part == 0) return name;
    name.last = name.size + link;
    name.size = name.last + part;
  }
}

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

bool names_a_variable(std::string_view text, const Name& name) {
  const std::string_view first = text.substr(0, name.first);
  if (name.last == 0) return !has_digit(first) && mentions_secret(first);
  const std::string_view last = text.substr(name.last, name.size - name.last);
  return std::any_of(std::begin(kObjects), std::end(kObjects),
                     [&](auto object) { return equal_folded(first, object); }) ||
         (!has_digit(last) && mentions_secret(last));
}

constexpr std::size_t sextet(char c) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return kAlphabet.find(c);
}

}  // namespace

bool is_reference(std::string_view value) {
  value = value.substr(0, kJudged);
  if (value.empty() || !kReferenceStart.has(value[0])) return false;
  if (value.starts_with("$") && is_identifier(value.substr(1))) return true;
  if (value.starts_with("$env:") || value.starts_with("env:") || value.starts_with("!")) {
    return is_identifier(value.substr(value.find(':') + 1)) || is_identifier(value.substr(1));
  }
  if (value.starts_with("%") && (value.size() == 2 || enclosed(value, "%", "%"))) return true;
  return enclosed(value, "${", "}") || enclosed(value, "$(", ")") || enclosed(value, "{", "}") ||
         enclosed(value, "#{", "}") || enclosed(value, "<", ">") || enclosed(value, "`", "`") ||
         is_masked(value) || is_note(value) || value == "\xe2\x80\xa6";
}

bool has_interpolation(std::string_view value) {
  value = value.substr(0, kJudged);
  if (run_until(value, kInterpolationStart) == value.size()) return false;
  for (const std::string_view mark : kInterpolations) {
    if (value.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

bool is_plain_word(std::string_view value) {
  constexpr std::size_t kLongest = 12;
  if (starts_with_folded(value, "your") && value.size() > 4 && value.size() <= kJudged)
    return !is_digit(value[4]);
  if (value.size() > kLongest) return false;
  std::array<char, kLongest> folded{};
  std::transform(value.begin(), value.end(), folded.begin(), lower);
  return std::ranges::binary_search(kPlainWords, std::string_view(folded.data(), value.size()));
}

bool is_expression(std::string_view text) {
  text = text.substr(0, kJudged);
  while (!text.empty() && (text[0] == '&' || text[0] == '*' || text[0] == '!'))
    text.remove_prefix(1);
  const Name name = name_at(text);
  if (name.size == 0) return false;
  const std::string_view rest = text.substr(name.size);
  if (rest.starts_with('(')) return rest.size() == 1 || rest.find(')') != std::string_view::npos;
  if (rest.starts_with('[')) return rest.find(']') != std::string_view::npos;
  if (rest.starts_with('<')) return rest.find('>') != std::string_view::npos;
  if (rest.starts_with('{')) return true;
  if (!rest.empty() && !kExpressionEnd.has(rest[0])) return false;
  return is_plain_word(text.substr(0, name.size)) || names_a_variable(text, name);
}

bool is_path(std::string_view value) {
  if (value.starts_with("./") || value.starts_with("../") || value.starts_with("~/")) return true;
  if (value.size() > 2 && is_letter(value[0]) && value[1] == ':' && value[2] == '\\') return true;
  if (!value.starts_with("/")) return false;
  const auto under = [&](std::string_view folder) { return value.starts_with(folder); };
  return std::any_of(std::begin(kSystemFolders), std::end(kSystemFolders), under) ||
         run_of(value, kPlainPath) == value.size();
}

bool is_label(std::string_view value) {
  value = value.substr(0, kJudged);
  if (has_digit(value) || !mentions_secret(value)) return false;
  return value.find(' ') != std::string_view::npos || is_wordlike(value);
}

bool is_colour(std::string_view value) {
  return value.starts_with('#') && value.size() <= 9 &&
         run_of(value.substr(1), kHex) == value.size() - 1;
}

bool is_wordlike(std::string_view value) {
  return run_of(value.substr(0, kJudged), kWordlike) == value.size();
}

bool is_number(std::string_view value) {
  return value.size() <= kJudged && run_of(value, kNumber) == value.size();
}

bool looks_random(std::string_view value, std::size_t shortest) {
  value = value.substr(0, kJudged);
  if (value.size() < shortest) return false;
  const bool digits = has_digit(value);
  const bool letters = std::any_of(value.begin(), value.end(), is_letter);
  if (digits && !letters) return value.size() >= std::max<std::size_t>(shortest, 10);
  if (digits) return true;
  const bool mixed = std::any_of(value.begin(), value.end(), is_upper) &&
                     std::any_of(value.begin() + 1, value.end(), is_lower);
  return run_of(value, kBase64) == value.size() && value.size() >= (mixed ? 16U : 24U);
}

bool is_basic_pair(std::string_view text) {
  unsigned bits = 0;
  unsigned group = 0;
  bool colon = false;
  for (const char c : text.substr(0, kJudged)) {
    if (c == '=') break;
    const std::size_t value = sextet(c);
    if (value == std::string_view::npos) return false;
    group = (group << 6 | static_cast<unsigned>(value)) & 0xffffU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const unsigned byte = group >> bits & 0xffU;
    if (byte < 0x20 || byte == 0x7f) return false;
    colon = colon || byte == ':';
  }
  return colon;
}

bool mentions_secret(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!kFirstOfSecretWords.has(text[i])) continue;
    for (const std::string_view word : kWordsOfSecrets) {
      if (lower(text[i]) == word[0] && starts_with_folded(text.substr(i), word)) return true;
    }
  }
  return false;
}

bool at_word_start(const Around& around) {
  const std::string_view before = around.before;
  if (around.behind_sequence || before.empty() || !kWord.has(before.back())) return true;
  const std::size_t n = before.size();
  const char last = before.back();
  if (n >= 2 && before[n - 2] == '\\') return last == 'n' || last == 'r' || last == 't';
  return n >= 3 && before[n - 3] == '%';
}

}  // namespace bawn::redaction
