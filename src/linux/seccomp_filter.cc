#include "linux/seccomp_filter.h"

#include <sodium/crypto_hash_sha256.h>

#include <array>

#include "base/text.h"

namespace bawn {
namespace {

constexpr sock_filter kFence[] = {
#include "fence.inc"
};

constexpr sock_filter kNoNetwork[] = {
#include "no_network.inc"
};

constexpr sock_filter kDefault[] = {
#include "default.inc"
};

constexpr sock_filter kStrict[] = {
#include "strict.inc"
};

}  // namespace

std::span<const sock_filter> fence_filter() { return kFence; }
std::span<const sock_filter> no_network_filter() { return kNoNetwork; }
std::span<const sock_filter> default_filter() { return kDefault; }
std::span<const sock_filter> strict_filter() { return kStrict; }

NamedFilter filter_for(const Plan& plan) {
  if (plan.tier == Tier::c) return {"default", default_filter()};
  return plan.refuse_network ? NamedFilter{"no-network", no_network_filter()}
                             : NamedFilter{"fence", fence_filter()};
}

std::string filter_hash(std::span<const sock_filter> filter) {
  static_assert(sizeof(sock_filter) == 8);  // no padding that could differ
  constexpr std::size_t kShownBytes = 8;
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(filter.data()),
                     filter.size_bytes());
  return hex(std::span(digest).first<kShownBytes>());
}

}  // namespace bawn
