// The part of a run in tier c that does not depend on what is to run: who the command is, and the
// part of its file system that every command of this policy finds on this host.
//
// It is known before the request has been judged, so a sandbox can be begun meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/facts.h"
#include "plan/mount_op.h"
#include "policy/policy.h"
#include "validate/violation.h"

namespace bawn {

// Who the command is, inside and to the host.
struct RunUser {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t host_uid = 0;
  std::uint32_t host_gid = 0;
  // With the caller's ranges of ids; none: these two alone exist inside.
  std::optional<IdMaps> maps{};
};

[[nodiscard]] RunUser plan_user(const Policy::Identity& identity, const HostFacts& host);

// Whether bawn was started by root, or the host takes the command for root or for a member of
// root's group. Root can give a command any user and group, so the ids of the command alone do not
// tell.
[[nodiscard]] bool is_run_by_root(const RunUser& user, const HostFacts& host);

// Why the command cannot be `user`, which was planned from `identity`: only root can run a command
// as somebody else, and ranges must be there to be had.
[[nodiscard]] std::optional<Violation> objection_to(const RunUser& user,
                                                    const Policy::Identity& identity,
                                                    const HostFacts& host);

struct NamespacePlan {
  RunUser user;
  bool new_netns = false;
  bool as_pid_1 = false;        // the command is process 1 of the pid namespace it sees
  Limit scratch_bytes;          // of the run's own file system
  std::vector<MountOp> mounts;  // with these the root of every such run begins
};

[[nodiscard]] NamespacePlan plan_namespaces(const Policy& policy, const HostFacts& host);

// Whether the command is to have no network at all.
[[nodiscard]] bool refuses_network(const Policy::Egress& egress);

}  // namespace bawn
