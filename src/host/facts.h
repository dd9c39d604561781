// What this host can enforce, as plain data. Filled by probing (host/probe.h), or by hand in tests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/cgroup_place.h"
#include "host/id_ranges.h"
#include "policy/policy.h"

namespace bawn {

inline constexpr std::array<std::string_view, 7> kNamespaceNames = {"user", "mnt", "pid",   "net",
                                                                    "ipc",  "uts", "cgroup"};
using NamespaceInodes = std::array<std::uint64_t, kNamespaceNames.size()>;  // in that order

// What looks at each access of a run, beside the validator before it and the limits around it.
enum class Boundary {
  none,        // nothing does: a plain spawn
  landlock,    // Linux without namespaces: Landlock and a seccomp filter
  namespaces,  // Linux
  profile,     // macOS: a sandbox profile
  job,         // Windows: a Job Object and a restricted token, which look at few
};

// A limit that this system has no means to enforce.
struct LackingLimit {
  std::string limit;  // its key below `limits`
  std::string why;
};

struct HostFacts {
  bool tier_b = false;
  bool tier_c = false;
  std::string tier_c_reason;  // why not, for people
  Boundary boundary_b = Boundary::landlock;
  Boundary boundary_c = Boundary::namespaces;
  std::vector<LackingLimit> lacking_limits;

  [[nodiscard]] Boundary boundary(Tier tier) const {
    if (tier == Tier::unconfined) return Boundary::none;
    return tier == Tier::c ? boundary_c : boundary_b;
  }

  int landlock_abi = 0;    // 0: the kernel has no Landlock, or it is switched off
  int landlock_error = 0;  // errno, if even that cannot be said
  bool seccomp_filters = false;

  // The limit with which a process that crashes leaves no memory behind, and starts nobody who
  // would look at it.
  std::uint64_t no_core_bytes = 0;

  // RLIMIT_NPROC counts every task of the user, and root is exempt from it.
  bool process_limit_binds = false;
  std::uint64_t user_tasks = 0;  // only counted when somebody asks (probe_user_tasks)

  // Only looked for when a limit needs it. It may lack controllers that were wanted; then the
  // reason is there too.
  std::optional<CgroupPlace> cgroup_place;
  std::string cgroup_reason;

  // What programs need of the system to run at all: readable and executable where a boundary looks
  // at files without a new root. Missing ones are left out.
  std::vector<std::string> system_paths;
  std::vector<std::string> device_paths;  // readable and writable
  std::string private_parent;             // where a run's private directory is made

  NamespaceInodes namespaces{};  // the caller's; 0: unknown, or nobody has asked (probe_namespaces)
  std::uint32_t uid = 0;         // of the caller
  std::uint32_t gid = 0;
  IdRangeFacts id_ranges;  // only looked for when a policy wants them
};

}  // namespace bawn
