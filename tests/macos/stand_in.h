// Where the stand-in for sandbox-exec is.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace bawn::macos {

inline std::string stand_in() {
  const char* path = std::getenv("BAWN_STAND_IN");
  if (path == nullptr) throw std::runtime_error("BAWN_STAND_IN is not set");
  return path;
}

}  // namespace bawn::macos
