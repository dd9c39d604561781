#include "cli/home_guard.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/files.h"

namespace bawn::cli {

namespace {

// Nothing that a person works in is one of these, though it may lie below one.
constexpr std::string_view kSystemPlaces[] = {
    "/bin",     "/boot",         "/dev",     "/etc",     "/home",      "/lib",
    "/media",   "/mnt",          "/opt",     "/proc",    "/root",      "/run",
    "/sbin",    "/srv",          "/sys",     "/tmp",     "/usr",       "/usr/local",
    "/var",     "/var/lib",      "/var/tmp", "/private", "/Users",     "/Volumes",
    "/Library", "/Applications", "/System",  "/c/Users", "/c/Windows", "/c/Program Files"};

// Nor does it lie in one of these.
constexpr std::string_view kSystemTrees[] = {"/bin",     "/boot",     "/dev",       "/etc",    "/lib",
                                             "/proc",    "/run",      "/sbin",      "/sys",    "/usr/bin",
                                             "/usr/lib", "/usr/sbin", "/usr/share", "/System", "/c/Windows"};

constexpr std::string_view kOwnWords = "go to a directory of your own, or name one with --workspace";

bool is_of_the_system(const std::string& current) {
  return std::any_of(std::begin(kSystemPlaces), std::end(kSystemPlaces),
                     [&](std::string_view place) { return holds_directory(current, std::string(place)); }) ||
         std::any_of(std::begin(kSystemTrees), std::end(kSystemTrees),
                     [&](std::string_view tree) { return holds_directory(std::string(tree), current); });
}

bool holds_any(const std::string& current, const std::vector<std::string>& homes) {
  return std::any_of(homes.begin(), homes.end(),
                     [&](const std::string& home) { return holds_directory(current, home); });
}

// Tier c denies the root as a workspace, so it is not advised.
std::string if_it_is_meant(std::string_view go, const std::string& current) {
  return concat(
      go, current == "/" ? ", or name one with --workspace" : ", or say --workspace . if that is meant");
}

}  // namespace

std::optional<Violation> place_by_accident(const Policy& policy, const std::string& current) {
  const WorkspaceMode mode = policy.workspace.mode;
  if (!policy.workspace.root.empty() || mode == WorkspaceMode::private_dir ||
      policy.tier.use == TierChoice::unconfined) {
    return std::nullopt;
  }
  if (mode == WorkspaceMode::direct && holds_any(current, home_directories())) {
    return Violation{
        "workspace.home", current,
        "the current directory is or holds your home, whose settings and keys the command could change",
        if_it_is_meant("go to a directory below your home", current)};
  }
  if (is_shared_directory(current)) {
    return Violation{"workspace.shared", current,
                     "the current directory is one that all users share, and holds files and sockets of "
                     "other programs",
                     if_it_is_meant("make a directory of your own in it and go there", current)};
  }
  if (is_of_the_system(current)) {
    return Violation{"workspace.system", current,
                     concat("the current directory ", quote(current), " is or holds a part of the system"),
                     std::string(kOwnWords)};
  }
  if (holds_any(current, homes_of_others())) {
    return Violation{"workspace.home", current, "the current directory is or holds the home of another user",
                     if_it_is_meant("go to a directory of your own", current)};
  }
  return std::nullopt;
}

}  // namespace bawn::cli
