// SHA-256, by libsodium on Linux and by CommonCrypto on macOS.
//
// add() any number of times, then finish() once. One object hashes one input; not thread-safe.
#pragma once

#include <span>
#include <string>

#include "base/hidden.h"

namespace bawn::posix {

class Sha256 {
 public:
  Sha256();

  void add(std::span<const unsigned char> bytes);
  // Returns the digest in lower-case hex. Call once, at the end.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  Hidden<State> state_;
};

}  // namespace bawn::posix
