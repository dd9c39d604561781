// SHA-256, by libsodium on Linux and by CommonCrypto on macOS.
//
// add() any number of times, then finish() once. One object hashes one input; not thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>

namespace bawn::posix {

class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::span<const unsigned char> bytes);
  // Returns the digest in lower-case hex. Call once, at the end.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bawn::posix
