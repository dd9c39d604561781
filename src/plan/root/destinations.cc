#include "plan/root/destinations.h"

#include <algorithm>

#include "base/text.h"
#include "host/system_paths.h"
#include "policy/policy.h"
#include "policy/text/hint.h"
#include "policy/text/names.h"
#include "validate/guest_paths.h"
#include "validate/scope.h"

namespace bawn {
namespace {

struct OwnPlace {
  std::string path;
  bool has_room = false;  // a mount can be made below it
};

// The guest paths that every run of this policy has. Some of kOwnVersionPaths are not among the
// base mounts: plan_root() makes them.
std::vector<OwnPlace> own_places(const std::vector<MountOp>& mounts) {
  std::vector<OwnPlace> places = {{"/dev"}, {"/sys"}};
  places.reserve(places.size() + kOwnVersionPaths.size() + mounts.size());
  for (const std::string_view path : kOwnVersionPaths) places.push_back({std::string(path)});
  for (const MountOp& op : mounts) {
    const bool is_empty = op.kind == MountOpKind::directory || op.kind == MountOpKind::scratch;
    places.push_back({op.destination, is_empty});
  }
  return places;
}

bool is_in_the_way(const OwnPlace& place, std::string_view destination) {
  if (path_is_within(place.path, destination)) return true;
  return !place.has_room && path_is_within(destination, place.path);
}

Violation needs_namespaces(const Grant& grant, std::string_view key) {
  return {"tier.unavailable", grant.path,
          concat(key, " shows ", quoted(grant), ", which needs tier c on Linux"),
          concat("try --tier namespaces (policy key: tier.use) on Linux, or grant ",
                 shell_word(grant.path), " without a destination (policy key: ", key, ")")};
}

Violation place_of_system(const Grant& grant, std::string_view key, const OwnPlace& place) {
  const std::string tmp =
      place.path == "/tmp" || place.path == "/var/tmp" ? ", or set filesystem.tmp to \"none\"" : "";
  return {"grant.system", grant.path,
          concat(key, " shows ", quoted(grant), ", and ", quote(place.path),
                 " is part of every run's root"),
          concat("choose a destination outside of it, such as '/data'", tmp)};
}

}  // namespace

Violations judge_destinations(const Policy& policy, const SetupPlan* setup) {
  Violations out;
  if (!remaps_grants(policy.filesystem)) return out;
  const bool has_root = setup != nullptr;
  const std::vector<OwnPlace> own = has_root ? own_places(setup->mounts) : std::vector<OwnPlace>();
  const auto judge = [&](const Grant& grant, std::string_view key) {
    if (grant.at.empty()) return;
    if (!has_root) return out.push_back(needs_namespaces(grant, key));
    const auto place = std::ranges::find_if(
        own, [&](const OwnPlace& each) { return is_in_the_way(each, grant.at); });
    if (place != own.end()) out.push_back(place_of_system(grant, key, *place));
  };
  for (const Grant& grant : policy.filesystem.read) judge(grant, "filesystem.read");
  for (const Grant& grant : policy.filesystem.write) judge(grant, "filesystem.write");
  return out;
}

}  // namespace bawn
