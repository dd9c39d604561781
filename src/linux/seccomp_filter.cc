#include "linux/seccomp_filter.h"

#include <sodium/crypto_hash_sha256.h>

#include <array>

#include "base/text.h"
#include "linux/profile_file.h"

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

Result<RunFilter> choose_filter(const Plan& plan, const std::string& runtime_directory) {
  if (plan.tier == Tier::unconfined) return RunFilter{};
  if (plan.tier == Tier::b && plan.refuse_network) return RunFilter{"no-network", no_network_filter()};
  if (plan.tier == Tier::b) return RunFilter{"fence", fence_filter()};
  if (plan.filter_profile == "default") return RunFilter{"default", default_filter()};
  if (plan.filter_profile == "strict") return RunFilter{"strict", strict_filter()};
  BAWN_ASSIGN(std::vector<sock_filter> own, load_profile(plan.filter_profile, runtime_directory));
  if (own.empty()) return invalid_error(concat(quote(plan.filter_profile), " gives an empty filter"));
  return RunFilter{.name = plan.filter_profile, .own = std::move(own)};
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
