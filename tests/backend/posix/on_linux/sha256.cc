#include <sodium/crypto_hash_sha256.h>

#include <array>

#include "backend/posix/sha256.h"
#include "base/text.h"

namespace bawn::posix {

struct Sha256::State {
  crypto_hash_sha256_state hash;
};

Sha256::Sha256() : state_(make_hidden<State>()) { crypto_hash_sha256_init(&state_->hash); }

void Sha256::add(std::span<const unsigned char> bytes) {
  crypto_hash_sha256_update(&state_->hash, bytes.data(), bytes.size());
}

std::string Sha256::finish() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&state_->hash, digest.data());
  return hex(digest);
}

}  // namespace bawn::posix
