// The rules of a macOS sandbox profile that Plan::files does not express.
//
// Paths are canonical, because a profile compares canonical paths. backend/macos/sandbox_profile.h
// writes the profile.
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct SandboxProfilePlan {
  std::vector<std::string> hidden;         // no read or write, including everything below
  std::vector<std::string> write_refused;  // read-only; they need not exist
  // Directories above one of these; they may not be renamed.
  std::vector<std::string> pinned;
  bool loopback = false;       // allow loopback addresses even without network
  bool trust_service = false;  // allow trustd to check certificates
};

}  // namespace bawn
