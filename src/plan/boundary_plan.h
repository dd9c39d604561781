// The parts of a Plan that only some boundaries have, and the network, which each boundary isolates
// in its own way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "host/facts.h"
#include "plan/file_grant.h"
#include "plan/root/root_plan.h"
#include "plan/root/setup_plan.h"
#include "plan/sandbox_profile_plan.h"
#include "validate/lookup.h"

namespace bawn {

// What the command can reach over a network.
enum class NetworkReach {
  nothing,
  own_loopback,   // of a network namespace that has nothing else
  host_loopback,  // the loopback that all programs of the host share
  everything,     // what the caller can reach
};
// The name of the enumerator, for the receipt.
[[nodiscard]] std::string_view to_string(NetworkReach reach);

struct NetworkPlan {
  NetworkReach reach = NetworkReach::nothing;

  [[nodiscard]] bool is_isolated() const { return reach != NetworkReach::everything; }
};

// The seccomp filter of a run.
struct FilterPlan {
  std::string name{};  // a built-in filter, or the path of a profile
  Located file{};      // the profile, if `name` is a path
  // Refuse modes with S_ISGID. Every filter refuses those with S_ISUID.
  bool refuse_set_group_id = false;
  // Refuse memfd_create, in a run whose programs are listed.
  bool refuse_memfd = false;
};

// What each boundary has beside the rest of the plan.
struct NoSandboxPlan {
  std::vector<FileGrant> files;  // nothing enforces them
};
struct LandlockPlan {
  std::vector<FileGrant> files;
  FilterPlan filter;
  // Where programs are listed: what lies in the run's private directory may be executed.
  bool private_exec = false;
};
struct NamespacesPlan {
  RootPlan root{};
  RunUser user{};
  bool as_pid_1 = false;  // the command is pid 1 of the pid namespace it sees
  FilterPlan filter{};
};
struct JobPlan {
  std::vector<FileGrant> files;  // nothing enforces them
};

// In the order of Boundary.
using BoundaryPlan =
    std::variant<NoSandboxPlan, LandlockPlan, NamespacesPlan, SandboxProfilePlan, JobPlan>;

template <Boundary boundary>
using PartOf = std::variant_alternative_t<static_cast<std::size_t>(boundary), BoundaryPlan>;
static_assert(std::is_same_v<PartOf<Boundary::none>, NoSandboxPlan>);
static_assert(std::is_same_v<PartOf<Boundary::landlock>, LandlockPlan>);
static_assert(std::is_same_v<PartOf<Boundary::namespaces>, NamespacesPlan>);
static_assert(std::is_same_v<PartOf<Boundary::profile>, SandboxProfilePlan>);
static_assert(std::is_same_v<PartOf<Boundary::job>, JobPlan>);

}  // namespace bawn
