#include "run/record/post_run_checks.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace bawn {
namespace {

// Describes what is now at a name that did not exist before the run; "" if it still does not exist.
std::string change_of(const std::string& path, const Located& now) {
  if (now.kind != FileKind::missing || !now.error.empty())
    return concat("the command created ", quote(path), ", which the policy protects");
  // The plan refuses names that lead over a link, so the command made this link. Any program that
  // creates its target creates the protected file.
  if (now.path != path)
    return concat("the command made ", quote(path), ", which the policy protects, lead to ",
                  quote(now.path));
  return "";
}

}  // namespace

void admit(Outcome& outcome, const std::string& layer, std::string reason) {
  Evidence evidence = {{"reason", std::move(reason)}};
  for (Enforcement& one : outcome.enforcement) {
    if (one.layer != layer) continue;
    one.state = LayerState::absent;
    one.evidence = std::move(evidence);
    return;
  }
  outcome.enforcement.push_back({layer, LayerState::absent, std::move(evidence)});
}

void report_created(const Plan& plan, const PathLookup& lookup, Outcome& outcome) {
  std::vector<std::string> missing = plan.still_missing;
  for (const std::string& hooks : plan.git_hooks.still_missing) {
    if (std::ranges::find(missing, hooks) == missing.end()) missing.push_back(hooks);
  }
  for (const std::string& path : missing) {
    const Located now = lookup.locate(path);
    const std::optional<Error> shortage = lookup.shortage();
    std::string change = shortage
                             ? concat("bawn cannot tell whether the command created ", quote(path),
                                      ", which the policy protects: ", shortage->message)
                             : change_of(path, now);
    if (change.empty()) continue;
    outcome.violations.push_back({"workspace.protected_created", path, std::move(change),
                                  "look at it before any other program does, or remove it"});
  }
}

}  // namespace bawn
