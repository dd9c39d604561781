#include "policy/text/hint.h"

#include <algorithm>

#include "base/text.h"
#include "policy/text/field.h"
#include "policy/text/option.h"
#include "policy/text/quantity.h"

namespace bawn {
namespace {

std::string_view flag_of(std::string_view key) {
  const CliOption* option = option_for(key);
  return option == nullptr ? "" : option->name;
}

bool is_plain(char c) {
  constexpr std::string_view kOthers = "-_./:@%+=,";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), is_plain);
  return plain ? std::string(word) : quote(word);
}

std::string try_option(std::string_view key, std::string_view value) {
  const std::string_view flag = flag_of(key);
  if (flag.empty()) return concat("set ", key, " in the policy");
  return concat("try ", flag, value.empty() ? "" : concat(" ", shell_word(value)),
                " (policy key: ", key, ")");
}

std::string raise_limit(std::string_view key, const Limit& present) {
  constexpr std::uint64_t kInsteadOfNone = 1024 * 1024;
  const Field* field = find_field(key);
  const auto* limit = field == nullptr ? nullptr : std::get_if<LimitField>(&field->value);
  if (limit == nullptr || flag_of(key).empty()) return concat("raise ", key, " in the policy");
  const bool is_time = limit->amount == Amount::milliseconds;
  const std::uint64_t factor = is_time || key == "limits.output_bytes" ? 10 : 2;
  const std::uint64_t now = present.value_or(0);
  if (now > limit->most / factor) return lift_limit(key);
  return try_option(key, amount_text(limit->amount, now == 0 ? kInsteadOfNone : now * factor));
}

std::string lift_limit(std::string_view key) { return try_option(key, "unlimited"); }

std::string grant_hint(std::string_view path) {
  const std::string word = shell_word(path);
  return concat("try ", flag_of("filesystem.read"), " ", word, ", or ", flag_of("filesystem.write"),
                " ", word, " to write there (policy keys: filesystem.read, filesystem.write)");
}

}  // namespace bawn
