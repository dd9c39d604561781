#include <CommonCrypto/CommonDigest.h>

#include <array>

#include "backend/posix/sha256.h"
#include "base/text.h"

namespace bawn::posix {

struct Sha256::State {
  CC_SHA256_CTX hash;
};

Sha256::Sha256() : state_(make_hidden<State>()) { CC_SHA256_Init(&state_->hash); }

void Sha256::add(std::span<const unsigned char> bytes) {
  CC_SHA256_Update(&state_->hash, bytes.data(), static_cast<CC_LONG>(bytes.size()));
}

std::string Sha256::finish() {
  std::array<unsigned char, CC_SHA256_DIGEST_LENGTH> digest{};
  CC_SHA256_Final(digest.data(), &state_->hash);
  return hex(digest);
}

}  // namespace bawn::posix
