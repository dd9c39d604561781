// The part of a policy about the filter of system calls.
#pragma once

#include <string>

namespace bawn {

struct SystemCallsPolicy {
  std::string profile = "default";  // "default", "strict", or the absolute path of a profile
  bool operator==(const SystemCallsPolicy&) const = default;
};

}  // namespace bawn
