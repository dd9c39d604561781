// The part of a tier c plan that does not depend on the request: the command's ids, and the base
// mounts.
//
// It is known before the request has been validated, so init can be told to start building
// meanwhile (SetupMessage). It changes nothing on the host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/root/mount_op.h"
#include "policy/limit.h"
#include "validate/violation.h"

namespace bawn {

struct EgressPolicy;
struct IdentityPolicy;
struct Policy;

// Where the command's host ids come from.
enum class HostIdOrigin {
  caller,
  policy,           // identity.uid or identity.gid
  range,            // one of the policy's range, which owns nothing; for runs that root starts
  workspace_owner,  // in place of one of the range, where mounts cannot be idmapped
};

// The command's ids inside its user namespace and on the host.
struct RunUser {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t host_uid = 0;
  std::uint32_t host_gid = 0;
  // Set if the caller's subordinate ids are mapped too; otherwise only these ids exist inside.
  std::optional<IdMaps> maps{};
  HostIdOrigin origin = HostIdOrigin::caller;
  // Why a run that root starts has no id of the range; "" if it has one, or is not to have one.
  std::string lack{};
  // The host ids were chosen for this owner, so the workspace must still belong to it.
  std::optional<FileOwner> chosen_for{};
  // bawn opens the host's files for init, which as this user could not reach them.
  bool by_trees = false;
  // bawn gives the pipes of stdio to this user, who can then open them again by /dev/stderr.
  bool gets_pipes = false;
};

// True if root's run is to have a host id of the policy's range. identity.uid, gid and id_ranges
// decide otherwise.
[[nodiscard]] bool wants_host_id(const IdentityPolicy& identity, std::uint32_t caller);

// `draw` is the run's random number, which chooses from the range.
[[nodiscard]] RunUser plan_user(const IdentityPolicy& identity, const HostFacts& host,
                                std::uint32_t draw = 0);

// True if bawn was started by root, or if the command's host uid or gid is 0. The command's ids
// alone are not enough: bawn started by root can give the command any ids.
[[nodiscard]] bool is_run_by_root(const RunUser& user, const HostFacts& host);

// The reason why the command cannot run as `user`, which plan_user() made from `identity`. A
// command runs as another user only for a caller with CAP_SETUID and CAP_SETGID, and id ranges must
// be available.
[[nodiscard]] std::optional<Violation> objection_to(const RunUser& user,
                                                    const IdentityPolicy& identity,
                                                    const HostFacts& host);

struct SetupPlan {
  RunUser user;
  bool new_netns = false;
  bool as_pid_1 = false;         // the command is pid 1 of the pid namespace it sees
  bool programs_listed = false;  // executables.allow is a list
  Limit scratch_bytes;           // size limit of the run's tmpfs
  std::vector<MountOp> mounts;   // the base mounts
};

[[nodiscard]] SetupPlan plan_setup(const Policy& policy, const HostFacts& host,
                                   std::uint32_t draw = 0);

// True if the policy allows no network at all.
[[nodiscard]] bool refuses_network(const EgressPolicy& egress);

}  // namespace bawn
