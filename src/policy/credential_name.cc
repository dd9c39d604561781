#include "policy/credential_name.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"

namespace bawn {
namespace {

// Matched anywhere in a name: GITHUB_TOKEN, PGPASSWORD, AWS_SECRET_ACCESS_KEY.
constexpr std::string_view kAnywhere[] = {
    "apikey", "bearer",   "cookie",  "credential", "passphrase",
    "passwd", "password", "private", "secret",     "token",
};

// Matched only as a whole word between underscores: COMPASS has no password.
constexpr std::string_view kWords[] = {"pass", "pwd"};

// Likewise (MONKEY is no key), but ordinary settings contain these words too: SSL_CERT_FILE,
// XDG_SESSION_TYPE, SORT_KEY.
constexpr std::string_view kAmbiguousWords[] = {
    "auth", "cert", "key", "keys", "pat", "pin", "pw", "salt", "session", "signature",
};

bool has_word(const std::string& name, std::span<const std::string_view> words) {
  const std::vector<std::string_view> parts = split(name, '_');
  return std::ranges::find_first_of(parts, words) != parts.end();
}

// `name` is in lower case.
bool names_credential(const std::string& name) {
  if (name == "pwd" || name == "oldpwd") return false;
  const auto occurs = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  return std::ranges::any_of(kAnywhere, occurs) || has_word(name, kWords);
}

bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

// A slash at the front is not enough, because one in 64 random base64 keys starts with one. The
// first component must be a word and must not be the last.
bool is_absolute_path(std::string_view value) {
  constexpr std::size_t kDrive = 2;  // "C:"
  if (value.size() > kDrive && is_letter(value[0]) && value[1] == ':')
    return value[kDrive] == '/' || value[kDrive] == '\\';
  if (!value.starts_with('/')) return false;
  const std::string_view first = value.substr(1, value.find('/', 1) - 1);
  return first.size() > 1 && first.size() + 1 < value.size() &&
         std::ranges::all_of(first, is_letter);
}

}  // namespace

bool looks_like_credential(std::string_view variable_name) {
  const std::string name = ascii_lower(variable_name);
  return names_credential(name) || has_word(name, kAmbiguousWords);
}

bool is_credential(std::string_view variable_name, std::string_view value) {
  constexpr std::size_t kShortestKey = 8;
  const std::string name = ascii_lower(variable_name);
  if (names_credential(name)) return true;
  return has_word(name, kAmbiguousWords) && value.size() >= kShortestKey &&
         !is_absolute_path(value);
}

bool may_hold_secret(std::string_view variable_name, std::string_view value) {
  if (looks_like_credential(variable_name)) return true;
  const std::size_t scheme = value.find("://");
  return scheme != std::string_view::npos && value.find('@', scheme) != std::string_view::npos;
}

}  // namespace bawn
