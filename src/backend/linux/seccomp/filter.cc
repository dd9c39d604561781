#include "backend/linux/seccomp/filter.h"

#include "backend/linux/seccomp/filter_hash.h"
#include "backend/linux/seccomp/profile_file.h"
#include "base/text.h"

namespace bawn::linux_ {
namespace {

constexpr sock_filter kTierB[] = {
#include "tier_b.inc"
};
constexpr sock_filter kTierBNoMemfd[] = {
#include "tier_b_no_memfd.inc"
};
constexpr sock_filter kNoNetwork[] = {
#include "no_network.inc"
};
constexpr sock_filter kNoNetworkNoMemfd[] = {
#include "no_network_no_memfd.inc"
};
constexpr sock_filter kDefault[] = {
#include "default.inc"
};
constexpr sock_filter kDefaultNoMemfd[] = {
#include "default_no_memfd.inc"
};
constexpr sock_filter kDefaultRoot[] = {
#include "default_root.inc"
};
constexpr sock_filter kDefaultRootNoMemfd[] = {
#include "default_root_no_memfd.inc"
};
constexpr sock_filter kStrict[] = {
#include "strict.inc"
};
constexpr sock_filter kStrictNoMemfd[] = {
#include "strict_no_memfd.inc"
};

struct BuiltIn {
  std::string_view name;
  std::span<const sock_filter> code;
  const char* hash;
};

// Each filter, and the same for a run whose policy lists its programs.
constexpr BuiltIn kBuiltIn[] = {
    // Tier b: refuses calls by which one process of a user can reach another without Landlock
    // seeing it, calls that make namespaces and mounts, and modes with a set-user-ID or
    // set-group-ID bit.
    {
        "tier-b",
        kTierB,
#include "tier_b.hash.inc"
    },
    {
        "tier-b-no-memfd",
        kTierBNoMemfd,
#include "tier_b_no_memfd.hash.inc"
    },
    // Tier b without network: also refuses every socket that leads out of the run.
    {
        "no-network",
        kNoNetwork,
#include "no_network.hash.inc"
    },
    {
        "no-network-no-memfd",
        kNoNetworkNoMemfd,
#include "no_network_no_memfd.hash.inc"
    },
    // Tier c: allows what an ordinary developer's tools need, and nothing else.
    {
        "default",
        kDefault,
#include "default.hash.inc"
    },
    {
        "default-no-memfd",
        kDefaultNoMemfd,
#include "default_no_memfd.hash.inc"
    },
    // Tier c for runs by root: the same, and refuses modes with the set-group-ID bit.
    {
        "default-root",
        kDefaultRoot,
#include "default_root.hash.inc"
    },
    {
        "default-root-no-memfd",
        kDefaultRootNoMemfd,
#include "default_root_no_memfd.hash.inc"
    },
    // Tier c, strict: the default without debuggers, System V IPC, and sockets other than Unix, TCP
    // and UDP.
    {
        "strict",
        kStrict,
#include "strict.hash.inc"
    },
    {
        "strict-no-memfd",
        kStrictNoMemfd,
#include "strict_no_memfd.hash.inc"
    },
};

}  // namespace

Result<RunFilter> built_in_filter(std::string_view name) {
  for (const BuiltIn& filter : kBuiltIn) {
    if (filter.name == name) return RunFilter{std::string(name), filter.hash, filter.code};
  }
  return invalid_error(concat("there is no filter ", quote(name)));
}

Result<RunFilter> load_filter(const FilterPlan& plan) {
  if (!plan.name.starts_with('/'))
    return built_in_filter(plan.refuse_memfd ? concat(plan.name, "-no-memfd") : plan.name);
  const RefusedBeside refused = {
      .set_id = plan.refuse_set_group_id ? RefusedSetId::user_and_group : RefusedSetId::user,
      .memfd = plan.refuse_memfd};
  BAWN_ASSIGN(std::vector<sock_filter> own, load_seccomp_profile(plan.file, plan.name, refused));
  if (own.empty()) return invalid_error(concat(quote(plan.name), " gives an empty filter"));
  std::string hash = filter_hash(own);
  return RunFilter{.name = plan.name, .hash = std::move(hash), .own = std::move(own)};
}

}  // namespace bawn::linux_
