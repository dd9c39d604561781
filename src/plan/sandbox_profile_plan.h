// The rules of a macOS sandbox profile.
//
// Paths are canonical, because a profile compares canonical paths. backend/macos/sandbox_profile.h
// writes the profile.
#pragma once

#include <string>
#include <vector>

#include "plan/file_grant.h"

namespace bawn {

struct SandboxProfilePlan {
  std::vector<FileGrant> files{};
  std::vector<std::string> hidden{};         // no read or write, including everything below
  std::vector<std::string> write_refused{};  // read-only; they need not exist
  // Directories above one of these; they may not be renamed.
  std::vector<std::string> pinned{};
  bool trust_service = false;  // allow trustd to check certificates
};

}  // namespace bawn
