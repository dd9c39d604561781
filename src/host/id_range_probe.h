// Looking for the ranges of ids that the caller has on this host, and for the programs that map
// them.
#pragma once

#include <string>
#include <vector>

#include "host/id_ranges.h"

namespace bawn {

// Where to look. The directories are fixed: what a caller has on its PATH is not trusted to be
// asked for privileges.
struct IdRangePlaces {
  std::string passwd = "/etc/passwd";
  std::string users = "/etc/subuid";
  std::string groups = "/etc/subgid";
  std::vector<std::string> programs = {"/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin"};
};

// What `uid` may have mapped. Reads a few small files and changes nothing.
[[nodiscard]] IdRangeFacts probe_id_ranges(std::uint32_t uid, const IdRangePlaces& places = {});

}  // namespace bawn
