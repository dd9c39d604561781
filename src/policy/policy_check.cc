#include "policy/policy_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "policy/egress_host.h"
#include "policy/text/field.h"
#include "policy/text/names.h"

namespace bawn {
namespace {

using Conflicts = std::vector<Conflict>;

int strength(Tier tier) { return tier == Tier::unconfined ? 0 : tier == Tier::b ? 1 : 2; }

// `automatic` never conflicts, because it picks a tier that satisfies the floor.
std::optional<Tier> fixed_tier(TierChoice choice) {
  switch (choice) {
    case TierChoice::automatic:
      return std::nullopt;
    case TierChoice::unconfined:
      return Tier::unconfined;
    case TierChoice::b:
      return Tier::b;
    case TierChoice::c:
      return Tier::c;
  }
  return std::nullopt;
}

void check_tier(const Policy& policy, Conflicts& out) {
  const std::optional<Tier> fixed = fixed_tier(policy.tier.use);
  if (!fixed || strength(*fixed) >= strength(policy.tier.floor)) return;
  out.push_back({"tier.use", "tier.floor",
                 concat("tier ", to_string(policy.tier.use), " is weaker than the floor, tier ",
                        to_string(policy.tier.floor)),
                 concat("to accept it set tier.floor to ", quote(to_string(*fixed)), " as well")});
}

void check_workspace_list(const Policy& policy, const std::vector<std::string>& paths,
                          const std::string& where, Conflicts& out) {
  if (paths.empty()) return;
  if (policy.workspace.mode == WorkspaceMode::private_dir) {
    out.push_back({where, "workspace.mode",
                   "a private workspace is empty: there is nothing at these paths",
                   "leave the list out, or set workspace.mode to 'direct' or 'read_only'"});
    return;
  }
  const std::string& root = policy.workspace.root;
  for (const std::string& path : paths) {
    if (root.empty() || !path.starts_with('/') || lies_below(path, root)) continue;
    out.push_back({where, "workspace.root",
                   concat(quote(path), " is not below the workspace ", quote(root)),
                   "write it relative to the workspace"});
  }
}

void check_workspace(const Policy& policy, Conflicts& out) {
  if (policy.workspace.mode == WorkspaceMode::private_dir && !policy.workspace.root.empty()) {
    out.push_back({"workspace.root", "workspace.mode",
                   "a private workspace is a fresh directory and has no root",
                   "leave root out, or set workspace.mode to 'direct' or 'read_only'"});
  }
  check_workspace_list(policy, policy.workspace.hide, "workspace.hide", out);
  check_workspace_list(policy, policy.workspace.protect, "workspace.protect", out);
}

// A host list has no effect in these modes, but it looks like a restriction or like a grant.
void check_egress(const Policy& policy, Conflicts& out) {
  const EgressMode mode = policy.egress.mode;
  if (mode != EgressMode::allow_all && mode != EgressMode::block_all) return;
  const std::string message =
      concat("the list has no effect with egress.mode ", quote(to_string(mode)),
             mode == EgressMode::allow_all ? ", which lets everything through"
                                           : ", which lets nothing through");
  const std::string hint = "set egress.mode to 'preflight', or leave the list out";
  if (!policy.egress.hosts.empty()) out.push_back({"egress.hosts", "egress.mode", message, hint});
  if (!policy.egress.dns_suffixes.empty())
    out.push_back({"egress.dns_suffixes", "egress.mode", message, hint});
}

// Two grants must not have the same guest path. The exception is a path that is granted for reading
// and for writing without a separate guest path.
void check_destinations(const Policy& policy, Conflicts& out) {
  std::map<std::string_view, const Grant*> taken;
  const auto place = [&](const Grant& grant, const char* where) {
    const auto [first, is_new] = taken.try_emplace(grant.place(), &grant);
    if (is_new || (grant.at.empty() && first->second->at.empty())) return;
    out.push_back(
        {where, "filesystem.read",
         concat(quoted(grant), " and ", quoted(*first->second), " would be at the same place"),
         "give one of them another place, or take it out"});
  };
  for (const Grant& grant : policy.filesystem.read) place(grant, "filesystem.read");
  for (const Grant& grant : policy.filesystem.write) place(grant, "filesystem.write");
}

void check_tmp(const Policy& policy, Conflicts& out) {
  if (policy.filesystem.tmp != Tmp::none || !policy.limits.tmp_bytes) return;
  out.push_back({"limits.tmp_bytes", "filesystem.tmp", "there is no temporary directory to limit",
                 "set filesystem.tmp to 'private', or leave tmp_bytes out"});
}

// A shared budget is enforced by the cgroup above the runs that share it, so that cgroup must be
// named.
void check_budget(const Policy& policy, Conflicts& out) {
  const Limits& limits = policy.limits;
  if (!limits.cgroup_parent.empty()) return;
  const auto refuse = [&](const char* where) {
    out.push_back({where, "limits.cgroup_parent", "there is no cgroup whose runs would share this",
                   "name it in limits.cgroup_parent, or leave this out"});
  };
  if (limits.total_memory_bytes) refuse("limits.total_memory_bytes");
  if (limits.total_processes) refuse("limits.total_processes");
}

void check_host_ids(const Policy& policy, Conflicts& out) {
  const IdentityPolicy& identity = policy.identity;
  if (identity.first_host_id + identity.host_id_count <= kMostId + 1) return;
  out.push_back({"identity.host_id_count", "identity.first_host_id",
                 concat("the last of these ids would be above ", kMostId), "lower one of the two"});
}

void check_background(const Policy& policy, Conflicts& out) {
  if (policy.background.processes == 0) return;
  if (policy.background.lifetime_ms == 0U) {
    out.push_back({"background.lifetime_ms", "background.processes",
                   "background runs are allowed but may not live at all",
                   "give a lifetime, or \"unlimited\""});
  }
}

// Checks one field of a policy in memory with the rules that the reader applies to text.
class FieldChecker {
 public:
  FieldChecker(Policy& policy, std::string path, std::vector<json::Problem>& problems)
      : policy_(policy), path_(std::move(path)), problems_(problems) {}

  void operator()(const FlagField&) {}
  template <class Enum>
  void operator()(const ChoiceField<Enum>&) {}

  void operator()(const TextField& field) {
    const std::string& text = field.of(policy_);
    if (!text.empty()) check(*field.rule, text, path_);
  }
  void operator()(const LimitField& field) {
    if (const Limit limit = field.of(policy_))
      check_range(*limit, field.least, field.most, " or \"unlimited\"");
  }
  void operator()(const CountField& field) {
    check_range(field.of(policy_), field.least, field.most, "");
  }
  void operator()(const IdField& field) {
    if (const auto& id = field.of(policy_)) check_range(*id, 0, kMostId, " or \"caller\"");
  }
  void operator()(const ListField& field) { check_list(*field.rule, field.of(policy_)); }
  void operator()(const GrantsField& field) {
    const std::vector<Grant>& grants = field.of(policy_);
    check_size(grants.size());
    for (std::size_t i = 0; i < grants.size(); ++i) {
      const std::string where = concat(path_, "[", i, "]");
      check(kAbsolutePath, grants[i].path, where);
      if (!grants[i].at.empty()) check(kDestination, grants[i].at, json::child_path(where, "at"));
      const auto here = grants.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(grants.begin(), here, grants[i]) != here)
        report(where, "the same entry appears twice", "keep one of them");
    }
  }
  void operator()(const AllowField& field) { check_list(kProgram, field.of(policy_).allow); }
  void operator()(const MapField& field) {
    check_size(field.of(policy_).size());
    for (const auto& [key, value] : field.of(policy_)) {
      const std::string where = json::child_path(path_, key);
      check(*field.key_rule, key, where);
      check(*field.value_rule, value, where);
    }
  }
  void operator()(const HostsField& field) {
    std::vector<std::string> hosts;
    for (const EgressHost& host : field.of(policy_)) {
      hosts.push_back(to_string(host));
      // The name "a:443" would print like the name "a" with port 443.
      if (host.name.find(':') != std::string::npos && parse_egress_host(hosts.back()) != host) {
        report(concat(path_, "[", hosts.size() - 1, "]"),
               concat(quote(host.name), " is not a host name"));
      }
    }
    check_list(kHost, hosts);
  }

 private:
  void report(std::string where, std::string message, std::string hint = "") {
    problems_.push_back({std::move(where), 0, 0, std::move(message), std::move(hint)});
  }
  void check(const TextRule& rule, const std::string& text, const std::string& where) {
    if (std::optional<Fault> fault = check_text(rule, text)) {
      report(where, std::move(fault->message), std::move(fault->hint));
    } else if (normal_text(rule, text) != text) {
      report(where, concat(quote(text), " is not in its normal form"),
             concat("use ", quote(normal_text(rule, text))));
    }
  }
  void check_list(const TextRule& rule, const std::vector<std::string>& items) {
    check_size(items.size());
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string where = concat(path_, "[", i, "]");
      check(rule, items[i], where);
      if (!seen.insert(items[i]).second)
        report(where, "the same entry appears twice", "keep one of them");
    }
  }
  void check_size(std::size_t entries) {
    if (entries <= kMaxPolicyEntries) return;
    report(path_, concat("has ", entries, " entries; at most ", kMaxPolicyEntries, " are allowed"));
  }
  void check_range(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                   std::string_view otherwise) {
    if (value >= least && value <= most) return;
    report(path_, concat("expected a whole number from ", least, " to ", most, otherwise,
                         ", found ", value));
  }

  Policy& policy_;
  std::string path_;
  std::vector<json::Problem>& problems_;
};

}  // namespace

std::vector<Conflict> policy_conflicts(const Policy& policy) {
  Conflicts out;
  check_tier(policy, out);
  check_workspace(policy, out);
  check_destinations(policy, out);
  check_egress(policy, out);
  check_tmp(policy, out);
  check_budget(policy, out);
  check_host_ids(policy, out);
  check_background(policy, out);
  return out;
}

std::vector<json::Problem> check_policy(const Policy& policy) {
  std::vector<json::Problem> problems;
  Policy copy = policy;  // the field table returns mutable references
  for (const Section& section : policy_sections()) {
    for (const Field& field : section.fields) {
      std::visit(FieldChecker(copy, field_path(section, field), problems), field.value);
    }
  }
  for (Conflict& conflict : policy_conflicts(policy)) {
    problems.push_back(
        {std::move(conflict.where), 0, 0, std::move(conflict.message), std::move(conflict.hint)});
  }
  return problems;
}

}  // namespace bawn
