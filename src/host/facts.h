// What this host can enforce, as plain data.
//
// Filled by probing (host/probe.h), or by hand in tests. The validator and the planner read it
// instead of asking the kernel, so they stay pure. Once probed, facts are not changed: an attempt
// with fewer means gets facts of its own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/capability.h"
#include "host/cgroup_place.h"
#include "host/host_ids.h"
#include "host/id_ranges.h"
#include "host/process_limit.h"
#include "policy/limit.h"
#include "policy/tier.h"

namespace bawn {

inline constexpr std::array<std::string_view, 7> kNamespaceNames = {"user", "mnt", "pid",   "net",
                                                                    "ipc",  "uts", "cgroup"};
using NamespaceInodes = std::array<std::uint64_t, kNamespaceNames.size()>;  // in that order

// The mechanism that checks each access of a running command. The validator (before the run) and
// resource limits are separate.
enum class Boundary {
  none,        // none: a plain spawn
  landlock,    // Linux without namespaces: Landlock and a seccomp filter
  namespaces,  // Linux
  profile,     // macOS: a sandbox profile
  job,         // Windows: a Job Object and a restricted token, which check few accesses
};

// A limit that this operating system cannot enforce.
struct LackingLimit {
  std::string limit;  // its policy key below `limits`
  std::string why;
};

struct HostFacts {
  bool tier_b = false;
  bool tier_c = false;
  std::string tier_c_reason;  // for people: why tier c is not available
  Boundary boundary_b = Boundary::landlock;
  Boundary boundary_c = Boundary::namespaces;
  std::vector<LackingLimit> lacking_limits;

  [[nodiscard]] Boundary boundary(Tier tier) const {
    if (tier == Tier::unconfined) return Boundary::none;
    return tier == Tier::c ? boundary_c : boundary_b;
  }

  int landlock_abi = 0;    // 0: the kernel has no Landlock, or it is switched off
  int landlock_error = 0;  // errno, if the ABI version could not be read
  bool seccomp_filters = false;

  // The RLIMIT_CORE value at which a crashing process writes no core file and starts no
  // core_pattern program.
  std::uint64_t no_core_bytes = 0;

  // RLIMIT_NPROC counts every task of the user. Root is exempt from it, so for root this is false.
  // So is a process with CAP_SYS_RESOURCE or CAP_SYS_ADMIN, but a confined command has neither.
  bool process_limit_binds = false;

  // The hard limits of bawn itself, by ProcessLimit. A process without privilege cannot raise them.
  std::array<Limit, kProcessLimitCount> hard_limits{};
  [[nodiscard]] const Limit& hard_limit(ProcessLimit limit) const {
    return hard_limits[static_cast<std::size_t>(limit)];
  }

  // Why no cgroup can be made, if that is known without looking for a place: the system has none,
  // or an earlier attempt of the run failed to make one.
  std::string cgroup_reason;

  // False if init has failed to open a file of the caller's in an earlier attempt of the run.
  bool init_opens_files = true;

  // Paths that programs need in order to run at all: readable and executable where the boundary
  // checks files without a new root. Paths that do not exist are left out.
  std::vector<std::string> system_paths;
  std::vector<std::string> device_paths;  // readable and writable
  std::string private_parent;             // parent of each run's private directory

  std::uint32_t uid = 0;  // of the caller
  std::uint32_t gid = 0;
  CapabilitySet capabilities;  // the caller's, in effect. Root may lack some of them.
  IdRangeFacts id_ranges;      // filled only if a policy asks for them
  HostIdFacts host_ids;        // filled only for root
};

// Facts that only some limits need. They are expensive to find, so they are looked for while init
// sets up.
struct LimitFacts {
  // Filled only if a limit needs a cgroup. The place may lack wanted controllers; then
  // `cgroup_reason` says why.
  std::optional<CgroupPlace> cgroup_place{};
  std::string cgroup_reason{};
  std::uint64_t user_tasks = 0;  // of the caller's user, if RLIMIT_NPROC counts them
};

}  // namespace bawn
