#include "run/aftermath.h"

#include <utility>

#include "base/text.h"

namespace bawn {

void admit(Outcome& outcome, const std::string& layer, std::string evidence) {
  for (Enforcement& one : outcome.enforcement) {
    if (one.layer != layer) continue;
    one.state = LayerState::absent;
    one.evidence = std::move(evidence);
    return;
  }
  outcome.enforcement.push_back({layer, LayerState::absent, std::move(evidence)});
}

void report_created(const Plan& plan, const PathLookup& lookup, Outcome& outcome) {
  for (const std::string& path : plan.root.still_missing) {
    const Located now = lookup.locate(path);
    if (now.kind == FileKind::missing && now.trouble.empty()) continue;
    outcome.violations.push_back(
        {"workspace.protected_created", path,
         concat("the command created ", quote(path), ", which the policy protects"),
         "look at it before any other program does, or remove it"});
  }
}

}  // namespace bawn
