#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/visible.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#include "front/cli/input/policy_source.h"
#include "front/cli/invocation.h"
#include "policy/preset.h"
#include "policy/text/names.h"
#include "policy/text/policy_json.h"

namespace bawn::cli {
namespace {

Result<int> print(std::string_view text) {
  BAWN_TRY(write_text(STDOUT_FILENO, text));
  return 0;
}

Result<int> list_presets() {
  std::string out;
  for (const std::string_view name : preset_names()) {
    std::string line(name);
    line.resize(18, ' ');
    out += concat(line, preset_summary(name), "\n");
  }
  return print(out);
}

Result<int> show(const std::string& name) {
  BAWN_ASSIGN(const LoadedPolicy loaded, read_policy(name));
  return print(policy_text_with_origins(loaded.sourced));
}

Result<int> lint(const std::string& name) {
  BAWN_ASSIGN(const LoadedPolicy loaded, read_policy(name));
  const std::vector<std::string> findings = lint_policy(loaded.sourced.policy);
  const std::string shown = shown_name(name);
  std::string out;
  for (const std::string& finding : findings) out += concat(shown, ": ", finding, "\n");
  if (findings.empty()) out = concat(shown, ": no remarks\n");
  BAWN_TRY(print(visible(out, Layout::lines)));
  return findings.empty() ? 0 : kExitDenied;
}

constexpr std::array<std::string_view, 3> kActions = {"show", "lint", "schema"};

Result<int> policy_action(Words words) {
  if (words.empty()) return list_presets();
  const std::string_view action = words.front();
  if (action == "schema" && words.size() == 1) return print(policy_schema());
  if (action == "show" && words.size() == 2) return show(words[1]);
  if (action == "lint" && words.size() == 2) return lint(words[1]);
  const std::string_view meant = nearest(action, kActions);
  if (std::find(kActions.begin(), kActions.end(), action) == kActions.end()) {
    return invalid_error(concat(quote(action), " is not an action of 'bawn policy': expected ",
                                one_of(kActions),
                                meant.empty() ? "" : concat(" (did you mean '", meant, "'?)")));
  }
  return invalid_error(
      "expected 'bawn policy', 'bawn policy show PRESET|FILE', 'bawn policy lint PRESET|FILE' or "
      "'bawn policy schema'");
}

}  // namespace

int policy_command(Words words) {
  if (asks_for_help(Subcommand::policy, words)) return print_help("policy");
  const auto code = policy_action(words);
  return code ? code.value() : report_failure("policy", code.error());
}

}  // namespace bawn::cli
