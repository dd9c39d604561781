// Finds the caller's subordinate id ranges on this host, and the programs that can map them.
//
// Reads a few small files and changes nothing. The result says what is missing and how to fix it,
// so a caller can refuse a policy that needs ranges before anything starts.
#pragma once

#include <string>
#include <vector>

#include "host/id_ranges.h"

namespace bawn {

// Where to look; tests use other files. Program directories are fixed: newuidmap is privileged, and
// a program from the caller's PATH must not be trusted in its place.
struct IdRangePlaces {
  std::string passwd = "/etc/passwd";
  std::string users = "/etc/subuid";
  std::string groups = "/etc/subgid";
  std::vector<std::string> programs = {"/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin"};
};

// The ranges that `uid` may map.
[[nodiscard]] IdRangeFacts probe_id_ranges(std::uint32_t uid, const IdRangePlaces& places = {});

}  // namespace bawn
