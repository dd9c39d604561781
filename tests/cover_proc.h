// Makes a host that covers a part of its /proc, as containers do, for this process and its
// children.
//
// The kernel mounts a new /proc in a user namespace only if a /proc that is fully visible exists
// there.
#pragma once

#include <sys/mount.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bawn {

// The mount points of every whole /proc. A host may have more than one.
inline std::vector<std::string> places_of_proc() {
  std::vector<std::string> places;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string skipped, root, place;
    fields >> skipped >> skipped >> skipped >> root >> place;
    if (root == "/" && line.find(" - proc ") != std::string::npos) places.push_back(place);
  }
  return places;
}

// Mounts a tmpfs over NAME in every /proc, because one that stays fully visible would be enough for
// the kernel. Call it in a process with a mount namespace of its own.
inline bool cover_in_proc(const std::string& name) {
  const std::vector<std::string> places = places_of_proc();
  return !places.empty() &&
         std::all_of(places.begin(), places.end(), [&](const std::string& place) {
           return mount("cover", (place + "/" + name).c_str(), "tmpfs", 0, nullptr) == 0;
         });
}

}  // namespace bawn
