#include "cli/home_guard.h"

#include <algorithm>

#include "cli/files.h"

namespace bawn::cli {

std::optional<Violation> home_by_accident(const Policy& policy, const std::string& current) {
  if (!policy.workspace.root.empty() || policy.workspace.mode != WorkspaceMode::direct ||
      policy.tier.use == TierChoice::unconfined) {
    return std::nullopt;
  }
  const std::vector<std::string> homes = home_directories();
  if (std::none_of(homes.begin(), homes.end(),
                   [&](const std::string& home) { return holds_directory(current, home); })) {
    return std::nullopt;
  }
  // Tier c denies the root as a workspace, so it is not advised.
  return Violation{
      "workspace.home", current,
      "the current directory is or holds your home, whose settings and keys the command could change",
      current == "/" ? "go to a directory below your home, or name one with --workspace"
                     : "go to a directory below your home, or say --workspace . if that is meant"};
}

}  // namespace bawn::cli
