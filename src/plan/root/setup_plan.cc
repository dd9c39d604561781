#include "plan/root/setup_plan.h"

#include <string>
#include <string_view>

#include "base/text.h"
#include "plan/root/base_mounts.h"
#include "policy/policy.h"

namespace bawn {
namespace {

Violation not_to_become(const RunUser& user, const HostFacts& host) {
  return {
      "identity.unavailable", "identity",
      concat("only a caller with CAP_SETUID and CAP_SETGID can run a command as another user, and "
             "this one has not both: the policy asks for ",
             user.host_uid, ":", user.host_gid, ", the caller is ", host.uid, ":", host.gid),
      "set identity.uid and identity.gid to \"caller\""};
}

// CAP_SETGID also to drop the caller's supplementary groups, whichever id differs.
bool may_become_another(const HostFacts& host) {
  return host.capabilities.has(Capability::setuid) && host.capabilities.has(Capability::setgid);
}

Violation no_ranges(std::string_view why, std::string fix) {
  return {"identity.unavailable", "identity.id_ranges", concat("no id ranges are available: ", why),
          std::move(fix)};
}

// Root keeps its own ids if the workspace is root's too, or if it may not become another user.
void choose_host_ids(const IdentityPolicy& identity, const HostFacts& host, std::uint32_t draw,
                     RunUser& user) {
  user.lack = lack_of_host_ids(host.capabilities, host.host_ids);
  if (user.lack.empty()) {
    user.origin = HostIdOrigin::range;
    user.by_trees = user.gets_pipes = true;
    user.host_uid = user.host_gid =
        static_cast<std::uint32_t>(identity.first_host_id + draw % identity.host_id_count);
  } else if (may_become_another(host)) {
    const FileOwner& owner = *(user.chosen_for = host.host_ids.workspace_owner);
    if (owner.uid == 0) return;
    user.origin = HostIdOrigin::workspace_owner;
    user.by_trees = host.host_ids.makes_trees;
    user.gets_pipes = host.capabilities.has(Capability::chown);
    user.host_uid = owner.uid;
    user.host_gid = owner.gid;
  }
}

}  // namespace

bool wants_host_id(const IdentityPolicy& identity, std::uint32_t caller) {
  return caller == 0 && !identity.uid && !identity.gid && !identity.id_ranges;
}

RunUser plan_user(const IdentityPolicy& identity, const HostFacts& host, std::uint32_t draw) {
  RunUser user;
  if (identity.uid || identity.gid) user.origin = HostIdOrigin::policy;
  user.host_uid = static_cast<std::uint32_t>(identity.uid.value_or(host.uid));
  user.host_gid = static_cast<std::uint32_t>(identity.gid.value_or(host.gid));
  user.uid = identity.as_root ? 0 : user.host_uid;
  user.gid = identity.as_root ? 0 : user.host_gid;
  if (identity.id_ranges) {
    user.maps = {.users = plan_id_map({user.uid, user.host_uid}, host.id_ranges.users),
                 .groups = plan_id_map({user.gid, user.host_gid}, host.id_ranges.groups)};
  }
  if (wants_host_id(identity, host.uid)) choose_host_ids(identity, host, draw, user);
  return user;
}

bool is_run_by_root(const RunUser& user, const HostFacts& host) {
  return host.uid == 0 || user.host_uid == 0 || user.host_gid == 0;
}

std::optional<Violation> objection_to(const RunUser& user, const IdentityPolicy& identity,
                                      const HostFacts& host) {
  const bool is_caller = user.host_uid == host.uid && user.host_gid == host.gid;
  if (!is_caller && !may_become_another(host)) return not_to_become(user, host);
  if (!identity.id_ranges) return std::nullopt;
  if (!is_caller) {
    return no_ranges(
        "newuidmap gives ranges to the caller alone, and the policy names another user in "
        "identity.uid or identity.gid",
        "run bawn as that user, or take identity.id_ranges out of the policy");
  }
  if (!host.id_ranges.lack.empty()) return no_ranges(host.id_ranges.lack, host.id_ranges.fix);
  if (!fits_kernel(user.maps->users) || !fits_kernel(user.maps->groups)) {
    return no_ranges(
        "/etc/subuid or /etc/subgid gives the caller more ranges than the kernel takes in one map",
        "join ranges that lie beside each other into one line");
  }
  return std::nullopt;
}

bool refuses_network(const EgressPolicy& egress) {
  const bool strict = egress.mode == EgressMode::strict || egress.mode == EgressMode::block_all;
  return strict && egress.hosts.empty() && egress.dns_suffixes.empty();
}

SetupPlan plan_setup(const Policy& policy, const HostFacts& host, std::uint32_t draw) {
  SetupPlan setup_plan{.user = plan_user(policy.identity, host, draw),
                       .new_netns = refuses_network(policy.egress),
                       .as_pid_1 = policy.identity.as_pid_1,
                       .programs_listed = !policy.executables.allow_all,
                       .scratch_bytes = policy.limits.tmp_bytes};
  setup_plan.mounts = base_mounts({.private_tmp = policy.filesystem.tmp == Tmp::private_dir,
                                   .host_root = setup_plan.user.host_uid == 0,
                                   .inner_root = setup_plan.user.uid == 0 && !setup_plan.as_pid_1,
                                   .programs_listed = setup_plan.programs_listed});
  return setup_plan;
}

}  // namespace bawn
