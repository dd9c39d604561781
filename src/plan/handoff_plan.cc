#include "plan/handoff_plan.h"

#include <algorithm>

#include "base/text.h"

namespace bawn {

HandoffPlan plan_handoff(const GitDirectories& git, const Scope& scope) {
  HandoffPlan plan;
  for (const std::string& path : scope.writable_on_host)
    plan.roots.push_back({path, path == scope.workspace ? "" : concat(path, "/")});
  for (const std::string& path : git.all) {
    const auto root = std::ranges::find_if(
        plan.roots, [&](const HandoffPlan::Root& each) { return path_is_within(path, each.path); });
    if (root == plan.roots.end()) continue;
    const std::size_t skipped = std::min(path.size(), root->path.size() + 1);
    plan.git.push_back({static_cast<std::size_t>(root - plan.roots.begin()), path.substr(skipped)});
  }
  return plan;
}

}  // namespace bawn
