#include "backend/linux/seccomp/filter.h"

#include "backend/linux/seccomp/filter_hash.h"
#include "backend/linux/seccomp/profile_file.h"
#include "base/text.h"

namespace bawn::linux_ {
namespace {

constexpr sock_filter kTierB[] = {
#include "tier_b.inc"
};
constexpr char kTierBHash[] =
#include "tier_b.hash.inc"
    ;

constexpr sock_filter kNoNetwork[] = {
#include "no_network.inc"
};
constexpr char kNoNetworkHash[] =
#include "no_network.hash.inc"
    ;

constexpr sock_filter kDefault[] = {
#include "default.inc"
};
constexpr char kDefaultHash[] =
#include "default.hash.inc"
    ;

constexpr sock_filter kDefaultRoot[] = {
#include "default_root.inc"
};
constexpr char kDefaultRootHash[] =
#include "default_root.hash.inc"
    ;

constexpr sock_filter kStrict[] = {
#include "strict.inc"
};
constexpr char kStrictHash[] =
#include "strict.hash.inc"
    ;

}  // namespace

std::span<const sock_filter> tier_b_filter() { return kTierB; }
std::span<const sock_filter> no_network_filter() { return kNoNetwork; }
std::span<const sock_filter> default_filter() { return kDefault; }
std::span<const sock_filter> default_root_filter() { return kDefaultRoot; }
std::span<const sock_filter> strict_filter() { return kStrict; }

Result<RunFilter> choose_filter(const Plan& plan) {
  if (plan.tier == Tier::unconfined) return RunFilter{};
  if (plan.tier == Tier::b && plan.refuse_network)
    return RunFilter{"no-network", kNoNetworkHash, kNoNetwork};
  if (plan.tier == Tier::b) return RunFilter{"tier-b", kTierBHash, kTierB};
  if (plan.seccomp_profile == "strict") return RunFilter{"strict", kStrictHash, kStrict};
  if (plan.seccomp_profile == "default" && plan.refuse_set_group_id)
    return RunFilter{"default-root", kDefaultRootHash, kDefaultRoot};
  if (plan.seccomp_profile == "default") return RunFilter{"default", kDefaultHash, kDefault};
  const RefusedSetId refused =
      plan.refuse_set_group_id ? RefusedSetId::user_and_group : RefusedSetId::user;
  BAWN_ASSIGN(std::vector<sock_filter> own,
              load_seccomp_profile(plan.seccomp_profile_file, plan.seccomp_profile, refused));
  if (own.empty())
    return invalid_error(concat(quote(plan.seccomp_profile), " gives an empty filter"));
  std::string hash = filter_hash(own);
  return RunFilter{.name = plan.seccomp_profile, .hash = std::move(hash), .own = std::move(own)};
}

}  // namespace bawn::linux_
