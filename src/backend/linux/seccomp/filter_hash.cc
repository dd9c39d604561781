#include "backend/linux/seccomp/filter_hash.h"

#include <sodium/crypto_hash_sha256.h>

#include <array>

#include "base/text.h"

namespace bawn::linux_ {

std::string filter_hash(std::span<const sock_filter> filter) {
  static_assert(sizeof(sock_filter) == 8);  // no padding, whose bytes could differ
  constexpr std::size_t kShownBytes = 8;
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(filter.data()),
                     filter.size_bytes());
  return hex(std::span(digest).first<kShownBytes>());
}

}  // namespace bawn::linux_
