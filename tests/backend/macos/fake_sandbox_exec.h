// The path of the fake sandbox-exec, from BAWN_FAKE_SANDBOX_EXEC. The fake confines nothing: use it
// only for tests of what bawn does around the sandbox.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace bawn::macos {

inline std::string fake_sandbox_exec() {
  const char* path = std::getenv("BAWN_FAKE_SANDBOX_EXEC");
  if (path == nullptr) throw std::runtime_error("BAWN_FAKE_SANDBOX_EXEC is not set");
  return path;
}

}  // namespace bawn::macos
