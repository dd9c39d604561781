// The part of a policy about programs: which of them may run.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace bawn {

struct ExecutablesPolicy {
  bool allow_all = false;          // "allow": "all"
  std::vector<std::string> allow;  // names on the trusted path, or absolute paths
  std::vector<std::string> block;  // wins over allow
  bool interpreters = false;       // programs that run code given to them
  bool from_workspace = false;     // programs in a writable area
  bool caller_path = false;        // search the caller's PATH beside the system's directories
  std::map<std::string, std::string> sha256;  // name or path -> 64 lower-case hex digits
  bool operator==(const ExecutablesPolicy&) const = default;
};

}  // namespace bawn
