#include "policy/credential_name.h"

#include <algorithm>

#include "base/text.h"

namespace bawn {
namespace {

// Telling wherever they stand: GITHUB_TOKEN, PGPASSWORD, AWS_SECRET_ACCESS_KEY.
constexpr std::string_view kAnywhere[] = {
    "apikey", "bearer",   "cookie",  "credential", "passphrase",
    "passwd", "password", "private", "secret",     "token",
};

// Telling only as a whole word between underscores: MONKEY is not a key.
constexpr std::string_view kWords[] = {
    "auth", "cert", "key", "keys", "pass", "pat", "pin", "pw", "pwd", "salt", "session", "signature",
};

}  // namespace

bool looks_like_credential(std::string_view variable_name) {
  const std::string name = ascii_lower(variable_name);
  if (name == "pwd" || name == "oldpwd") return false;
  const auto occurs = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (std::any_of(std::begin(kAnywhere), std::end(kAnywhere), occurs)) return true;
  for (const std::string_view part : split(name, '_')) {
    if (std::find(std::begin(kWords), std::end(kWords), part) != std::end(kWords)) return true;
  }
  return false;
}

bool may_hold_secret(std::string_view variable_name, std::string_view value) {
  if (looks_like_credential(variable_name)) return true;
  const std::size_t scheme = value.find("://");
  return scheme != std::string_view::npos && value.find('@', scheme) != std::string_view::npos;
}

}  // namespace bawn
