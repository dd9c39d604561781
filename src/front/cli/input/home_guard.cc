#include "front/cli/input/home_guard.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "front/cli/input/files.h"
#include "policy/policy.h"

namespace bawn::cli {

namespace {

constexpr std::string_view kWorkspaceHint =
    "change to a directory of your own, or name one with --workspace DIR (policy key: "
    "workspace.root)";

bool holds_own_home(const std::string& current, const Homes& homes) {
  return std::ranges::any_of(
      homes.own, [&](const std::string& home) { return holds_directory(current, home); });
}

// Tier c refuses "/" as a workspace, so the hint does not offer "--workspace ." there.
std::string if_it_is_meant(std::string_view go, const std::string& current) {
  return concat(
      go, current == "/"
              ? ", or name one with --workspace DIR (policy key: workspace.root)"
              : ", or try --workspace . (policy key: workspace.root) if you mean this directory");
}

}  // namespace

Result<std::optional<Violation>> place_by_accident(const Policy& policy,
                                                   const std::string& current) {
  const WorkspaceMode mode = policy.workspace.mode;
  if (!policy.workspace.root.empty() || mode == WorkspaceMode::private_dir ||
      policy.tier.use == TierChoice::unconfined) {
    return std::optional<Violation>();
  }
  BAWN_ASSIGN(const Homes homes, home_directories());
  if (mode == WorkspaceMode::direct && holds_own_home(current, homes)) {
    return std::optional(
        Violation{"workspace.home", current,
                  "the current directory is or holds your home, whose settings "
                  "and keys the command could change",
                  if_it_is_meant("change to a directory below your home", current)});
  }
  if (is_shared_directory(current)) {
    return std::optional(Violation{
        "workspace.shared", current,
        "the current directory is one that all users share, and holds files and sockets "
        "of other programs",
        if_it_is_meant("make a directory of your own in it and change to that", current)});
  }
  const auto real = absolute_path(current);
  if (is_system_place(real ? real.value() : current)) {
    return std::optional(Violation{
        "workspace.system", current,
        concat("the current directory ", quote(current), " is or holds a part of the system"),
        std::string(kWorkspaceHint)});
  }
  if (holds_home_of_another(real ? real.value() : current, homes)) {
    return std::optional(Violation{"workspace.home", current,
                                   "the current directory is or holds the home of another user",
                                   if_it_is_meant("change to a directory of your own", current)});
  }
  return std::optional<Violation>();
}

}  // namespace bawn::cli
