// Where the fake sandbox-exec is.
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
