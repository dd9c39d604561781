#include "plan/handoff_plan.h"

#include <algorithm>

#include "base/text.h"

namespace bawn {

HandoffPlan plan_handoff(const GitDirectories& git, const Scope& scope) {
  HandoffPlan plan;
  for (const std::string& path : scope.writable_on_host)
    plan.roots.push_back({path, path == scope.workspace ? "" : concat(path, "/")});
  const auto root_of = [&](const std::string& path) {
    return std::ranges::find_if(
        plan.roots, [&](const HandoffPlan::Root& each) { return path_is_within(path, each.path); });
  };
  const auto below = [](const std::string& path, const HandoffPlan::Root& root) {
    return path.substr(std::min(path.size(), root.path.size() + 1));
  };
  for (const std::string& path : git.all) {
    const auto root = root_of(path);
    if (root == plan.roots.end()) continue;
    plan.git.push_back({static_cast<std::size_t>(root - plan.roots.begin()), below(path, *root)});
  }
  if (const auto root = root_of(git.unsearched);
      !git.unsearched.empty() && root != plan.roots.end())
    plan.unsearched = concat(root->prefix, below(git.unsearched, *root));
  return plan;
}

}  // namespace bawn
