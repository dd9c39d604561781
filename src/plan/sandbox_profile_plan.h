// What a sandbox profile says beyond the files of the Plan, for hosts that have one (macOS).
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct SandboxProfilePlan {
  std::vector<std::string> hidden;         // neither read nor written, they and everything below
  std::vector<std::string> write_refused;  // readable, not written; they need not exist
  std::vector<std::string>
      pinned;             // directories on the way to one of these, which may not be moved away
  bool loopback = false;  // without network, the loopback addresses all the same
  bool trust_service = false;  // certificates may be checked by trustd
};

}  // namespace bawn
