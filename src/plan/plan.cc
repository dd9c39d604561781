#include "plan/plan.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace bawn {
namespace {

// Builds the plan part by part; each part adds what it promises or a violation.
class Planner {
 public:
  Planner(const Policy& policy, const Request& request, const Verdict& verdict, const RunIdentity& identity,
          const HostFacts& host, const PathLookup& lookup)
      : policy_(policy),
        request_(request),
        verdict_(verdict),
        identity_(identity),
        host_(host),
        lookup_(lookup) {}

  Planned run(Tier tier) && {
    plan().tier = tier;
    plan().program = verdict_.program;
    plan().cwd = verdict_.cwd;
    plan().environment = verdict_.environment;
    plan().private_workspace = policy_.workspace.mode == WorkspaceMode::private_dir;
    plan().private_tmp = policy_.filesystem.tmp == Tmp::private_dir;
    plan_interaction();
    if (tier == Tier::c) {
      plan_yard();
    } else {
      plan_private_directory();
      plan_private_variables();
    }
    plan_environment();
    plan_limits();
    if (tier == Tier::b) {
      refuse_what_needs_namespaces();
      plan_files();
      plan_network();
    }
    return std::move(planned_);
  }

 private:
  Plan& plan() { return planned_.plan; }

  void refuse(std::string code, std::string subject, std::string message, std::string hint) {
    planned_.violations.push_back({std::move(code), std::move(subject), std::move(message), std::move(hint)});
  }

  void plan_private_directory() {
    if (!plan().private_workspace && !plan().private_tmp) return;
    plan().private_parent = lookup_.locate(host_.private_parent);
    plan().private_name = identity_.private_name;
    if (plan().private_parent.kind != FileKind::directory) {
      refuse("workspace.missing", host_.private_parent,
             concat("there is no ", quote(host_.private_parent), " to make the run's private directory in"),
             "create it");
    }
  }

  void set_variable(std::string_view name, std::string_view value) {
    const std::string prefix = concat(name, "=");
    std::erase_if(plan().environment, [&](const std::string& entry) { return entry.starts_with(prefix); });
    plan().environment.push_back(concat(prefix, value));
  }

  void plan_private_variables() {
    const std::string directory = concat(plan().private_parent.path, "/", plan().private_name);
    if (plan().private_workspace) set_variable("HOME", concat(directory, "/work"));
    if (plan().private_tmp) set_variable("TMPDIR", concat(directory, "/tmp"));
  }

  // A root, a network and processes of its own.
  void plan_yard() {
    plan().refuse_network = refuses_network(policy_.egress);
    if (policy_.egress.mode == EgressMode::strict && !plan().refuse_network) {
      refuse("egress.unavailable", "egress.mode", "this version cannot enforce a list of allowed hosts",
             "use egress mode 'block_all', or 'preflight', which does not isolate the network");
    }
    require_seccomp();
    if (host_.landlock_error != 0) {
      refuse("tier.unavailable", "landlock",
             concat("the kernel does not say whether it has Landlock: ", errno_text(host_.landlock_error)),
             "look for what forbids landlock_create_ruleset: a seccomp filter around bawn, or a security "
             "module");
    }
    plan_user();
    plan().filter_profile = policy_.system_calls.profile;
    const RootNeeds needs{.verdict = &verdict_,
                          .own_network = plan().refuse_network,
                          .caller_home = identity_.home,
                          .search = identity_.search,
                          .user = plan().user};
    plan().root = plan_root(policy_, needs, host_, lookup_);
    for (Violation& violation : plan().root.violations) planned_.violations.push_back(std::move(violation));
    plan().root.violations.clear();
    if (!policy_.environment.set.contains("HOME")) set_variable("HOME", plan().root.home);
    if (plan().private_tmp) set_variable("TMPDIR", "/tmp");
  }

  void plan_user() {
    RunUser& user = plan().user;
    user.host_uid = static_cast<std::uint32_t>(policy_.identity.uid.value_or(host_.uid));
    user.host_gid = static_cast<std::uint32_t>(policy_.identity.gid.value_or(host_.gid));
    user.uid = policy_.identity.as_root ? 0 : user.host_uid;
    user.gid = policy_.identity.as_root ? 0 : user.host_gid;
    const bool other = user.host_uid != host_.uid || user.host_gid != host_.gid;
    if (other && host_.uid != 0) {
      refuse("identity.unavailable", "identity",
             concat("only root can run a command as somebody else: the policy asks for ", user.host_uid, ":",
                    user.host_gid, ", the caller is ", host_.uid, ":", host_.gid),
             "set identity.uid and identity.gid to \"caller\"");
    }
  }

  // What only namespaces can give is not left out silently.
  void refuse_what_needs_namespaces() {
    const auto needs_c = [&](std::string_view key) {
      refuse("tier.unavailable", std::string(key), concat(key, " needs tier c"),
             concat("use tier c, or take it out of the policy"));
    };
    if (policy_.identity != Policy::Identity{}) needs_c("identity");
    if (policy_.system_calls != Policy::SystemCalls{}) needs_c("system_calls.profile");
  }

  void plan_environment() {
    set_variable("BAWN", "1");
    set_variable("BAWN_RUN_ID", identity_.run_id);
    set_variable("SANDBOX_RUNTIME", "1");
  }

  void plan_interaction() {
    plan_terminal();
    if (request_.background) {
      refuse("background.unavailable", "background", "background runs need the daemon",
             "leave 'background' out, or send the request to 'bawn serve'");
    }
  }

  // The caller's own terminal is one that a command can type into (TIOCSTI), so it gets another wherever there is a devpts
  // of the run's own to take it from.
  void plan_terminal() {
    constexpr std::uint32_t kOutputs = 0b110;  // stdin stays the request's text: a terminal would echo it
    plan().terminal.stdio = identity_.terminals | (request_.pty ? kOutputs : 0);
    if (plan().terminal.stdio == 0) return;
    plan().terminal.use = plan().tier == Tier::c ? TerminalUse::own : TerminalUse::the_callers;
    if (request_.pty && plan().tier != Tier::c) {
      refuse("pty.unavailable", "pty", "a terminal for the command needs tier c", "leave 'pty' out");
    }
  }

  void plan_files() {
    if (host_.landlock_abi == 0) {
      refuse("tier.unavailable", "landlock", "this kernel cannot confine file access (no Landlock)",
             "boot with 'lsm=landlock,...', or a kernel from 5.13 on");
      return;
    }
    for (const std::string& path : host_.system_paths) grant_if_present(path, FileAccess::read);
    for (const std::string& path : host_.device_paths) grant_if_present(path, FileAccess::device);
    if (policy_.workspace.mode != WorkspaceMode::private_dir) {
      const bool writable = policy_.workspace.mode == WorkspaceMode::direct;
      plan().files.push_back(
          {verdict_.workspace, writable ? FileAccess::write : FileAccess::read, "workspace"});
    }
    plan().files.push_back({verdict_.program.file, FileAccess::read, "program"});
    for (const Located& script : verdict_.program.scripts)
      plan().files.push_back({script, FileAccess::read, "program"});
    for (const std::string& path : policy_.filesystem.read) grant(path, FileAccess::read, "filesystem.read");
    for (const std::string& path : policy_.filesystem.write)
      grant(path, FileAccess::write, "filesystem.write");
    refuse_holes("workspace.hide", policy_.workspace.hide);
    refuse_holes("workspace.protect", policy_.workspace.protect);
  }

  void grant_if_present(const std::string& path, FileAccess access) {
    Located located = lookup_.locate(path);
    if (located.kind != FileKind::missing) plan().files.push_back({std::move(located), access, "system"});
  }

  void grant(const std::string& path, FileAccess access, std::string_view key) {
    Located located = lookup_.locate(path);
    if (located.kind == FileKind::missing) {
      planned_.violations.push_back(grant_missing(path, located, key));
      return;
    }
    plan().files.push_back({std::move(located), access, std::string(key)});
  }

  // Landlock can only add: nothing below a granted directory can be taken away again.
  void refuse_holes(std::string_view key, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      refuse("tier.unavailable", path,
             concat(key, " needs tier c: tier b cannot except a path from its workspace"),
             concat("use tier c, or take ", quote(path), " out of ", key));
    }
  }

  void plan_network() {
    plan().refuse_network = refuses_network(policy_.egress);
    if (policy_.egress.mode == EgressMode::strict && !plan().refuse_network) {
      refuse("tier.unavailable", "egress.mode", "strict egress with allowed hosts needs tier c",
             "use egress mode 'preflight', an empty host list, or tier c");
    }
    require_seccomp();
  }

  void require_seccomp() {
    if (!host_.seccomp_filters) {
      refuse("tier.unavailable", "seccomp",
             "this kernel cannot keep the command from the network and from other processes (no seccomp "
             "filters)",
             "use a kernel with CONFIG_SECCOMP_FILTER");
    }
  }

  void add_limit(ProcessLimit limit, std::uint64_t value) { plan().process_limits.push_back({limit, value}); }

  void plan_limits() {
    plan().limits = policy_.limits;
    if (request_.timeout_ms) plan().limits.wall_time_ms = request_.timeout_ms;  // validated: never longer
    add_limit(ProcessLimit::core_bytes, 0);
    // A second more than the tree may use: the supervisor ends the run first and knows why; this is the backstop.
    if (const Limit cpu = policy_.limits.cpu_time_ms) add_limit(ProcessLimit::cpu_seconds, *cpu / 1000 + 2);
    plan_cgroup_limits();
    const bool whole_tree = plan().cgroup && plan().cgroup->limits.memory_bytes;
    // Beside a limit of the whole tree it would refuse what is reserved and never used, and nobody could tell which of the
    // two a run has met.
    if (const Limit memory = policy_.limits.memory_bytes; memory && !whole_tree)
      add_limit(ProcessLimit::memory_data, *memory);
    if (const Limit files = policy_.limits.open_files) add_limit(ProcessLimit::open_files, *files);
    if (const Limit size = policy_.limits.file_bytes) add_limit(ProcessLimit::file_bytes, *size);
    plan_process_limit();
    if (policy_.limits.tmp_bytes && plan().tier != Tier::c)
      go_without("tmp_bytes", "tier b cannot bound the size of a temporary directory", "use tier c, ");
  }

  void plan_cgroup_limits() {
    const CgroupWish wish = cgroup_wish(policy_.limits);
    if (wish.empty()) return;
    plan().no_cgroup = host_.cgroup_reason;
    if (host_.cgroup_place) {
      plan().cgroup = plan_cgroup(wish, *host_.cgroup_place, identity_.private_name);
    } else if (wish.insists) {
      refuse("limit.cgroup_unavailable", policy_.limits.cgroup_parent,
             concat("no cgroup can be made below limits.cgroup_parent: ", host_.cgroup_reason),
             "name a cgroup that you may make others in, or leave limits.cgroup_parent out; 'bawn doctor' "
             "tells what this host offers");
      return;
    }
    const bool has_rate = plan().cgroup && plan().cgroup->limits.cpu_rate;
    if (wish.limits.cpu_rate && !has_rate) {
      go_without("cpu_percent", concat("only a cgroup can do that: ", host_.cgroup_reason),
                 "run bawn where it may make cgroups, ");
    }
  }

  // A limit that cannot be enforced here: refused, unless the policy itself calls it optional.
  void go_without(std::string_view limit, std::string_view why, std::string_view hint) {
    const std::vector<std::string>& optional = policy_.limits.optional;
    if (std::find(optional.begin(), optional.end(), limit) != optional.end()) {
      plan().absent_limits.push_back({std::string(limit), std::string(why)});
      return;
    }
    refuse("limit.unenforceable", concat("limits.", limit), std::string(why),
           concat(hint, "set limits.", limit, " to \"unlimited\", or name it in limits.optional"));
  }

  void plan_process_limit() {
    if (!policy_.limits.processes || (plan().cgroup && plan().cgroup->limits.processes)) return;
    const bool binds = plan().tier == Tier::c ? plan().user.host_uid != 0 : host_.process_limit_binds;
    if (!binds) {
      go_without("processes", "the kernel exempts root from RLIMIT_NPROC",
                 "run bawn as an ordinary user or where it may make cgroups, ");
      return;
    }
    // In a user namespace of its own the run is counted alone, together with its keeper.
    if (plan().tier == Tier::c) return add_limit(ProcessLimit::processes, *policy_.limits.processes + 1);
    plan().user_tasks = host_.user_tasks;
    add_limit(ProcessLimit::processes, host_.user_tasks + *policy_.limits.processes);
  }

  const Policy& policy_;
  const Request& request_;
  const Verdict& verdict_;
  const RunIdentity& identity_;
  const HostFacts& host_;
  const PathLookup& lookup_;
  Planned planned_;
};

Violation tier_unavailable(std::string message, std::string hint) {
  return {"tier.unavailable", "tier", std::move(message), std::move(hint)};
}

}  // namespace

bool refuses_network(const Policy::Egress& egress) {
  const bool strict = egress.mode == EgressMode::strict || egress.mode == EgressMode::block_all;
  return strict && egress.hosts.empty() && egress.dns_suffixes.empty();
}

std::variant<Tier, Violation> choose_tier(const Policy& policy, const HostFacts& host) {
  const auto below_floor = [&](Tier tier) { return tier < policy.tier.floor; };
  switch (policy.tier.use) {
    case TierChoice::unconfined:
      if (!below_floor(Tier::unconfined)) return Tier::unconfined;
      return tier_unavailable("the policy's floor does not accept an unconfined run", "raise tier.use");
    case TierChoice::b:
      if (!host.tier_b) return tier_unavailable("this host has no tier b", "");
      if (!below_floor(Tier::b)) return Tier::b;
      return tier_unavailable("tier b is below the policy's floor", "set tier.floor to \"b\", or use tier c");
    case TierChoice::c:
    case TierChoice::automatic:
      break;
  }
  if (host.tier_c) return Tier::c;
  if (policy.tier.use == TierChoice::automatic && host.tier_b && !below_floor(Tier::b)) return Tier::b;
  return tier_unavailable(concat("tier c is required and not available: ", host.tier_c_reason),
                          "accept tier b with --tier b, or with tier.floor \"b\" in the policy");
}

Planned plan_run(const Policy& policy, const Request& request, const Verdict& verdict, Tier tier,
                 const RunIdentity& identity, const HostFacts& host, const PathLookup& lookup) {
  return Planner(policy, request, verdict, identity, host, lookup).run(tier);
}

}  // namespace bawn
