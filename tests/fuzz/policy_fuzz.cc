// Any text as a policy: it is refused with positions, or it means the same after printing and
// reading again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "policy/text/policy_json.h"

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void check_problems(const std::vector<bawn::json::Problem>& problems) {
  require(!problems.empty());
  for (const bawn::json::Problem& problem : problems) {
    require(!problem.message.empty());
    require(problem.line >= 1 && problem.column >= 1);
    for (const char c : problem.where) require(static_cast<unsigned char>(c) >= ' ');
  }
}

void check_policy_value(const bawn::SourcedPolicy& sourced) {
  require(bawn::check_policy(sourced.policy).empty());
  const std::string printed = bawn::policy_text(sourced.policy);
  auto again = bawn::parse_policy(printed, "again");
  require(again.index() == 0);
  require(std::get<0>(again).policy == sourced.policy);
  require(bawn::policy_text(std::get<0>(again).policy) == printed);
}

// The text for people must still parse and must not hold a secret. Only secrets with a marker are
// checked: short or common ones occur by chance.
void check_shown(const bawn::SourcedPolicy& sourced) {
  const std::string shown = bawn::policy_text_with_origins(sourced);
  require(bawn::json::Document::parse(shown, bawn::json::Comments::allowed).problems().empty());
  for (const char c : shown) require(c == '\n' || (c >= ' ' && c < 0x7f));
  for (const std::string& secret : sourced.policy.redaction.secrets) {
    if (secret.starts_with("SECRET-"))
      require(shown.find("\"" + secret + "\"") == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  // The first bytes also serve as the file name, because origins print it whatever it holds.
  const std::string file = text.substr(0, 16);
  auto result = bawn::parse_policy(std::move(text), file);
  if (const auto* problems = std::get_if<1>(&result)) {
    check_problems(*problems);
    return 0;
  }
  check_policy_value(std::get<0>(result));
  check_shown(std::get<0>(result));
  (void)bawn::lint_policy(std::get<0>(result).policy);
  return 0;
}
