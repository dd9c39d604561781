// A host that covers a part of its /proc, as containers do, for one process and all that it starts.
#pragma once

#include <sys/mount.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bawn {

// Where the file system is mounted whole. A host may have it in more than one place.
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

// Puts something over NAME below every /proc: the kernel gives a new one to whoever sees a whole
// one anywhere. To be called in a mount namespace of the caller's own.
inline bool cover_in_proc(const std::string& name) {
  const std::vector<std::string> places = places_of_proc();
  return !places.empty() &&
         std::all_of(places.begin(), places.end(), [&](const std::string& place) {
           return mount("cover", (place + "/" + name).c_str(), "tmpfs", 0, nullptr) == 0;
         });
}

}  // namespace bawn
