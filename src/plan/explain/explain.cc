#include "plan/explain/explain.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "plan/fallback.h"
#include "policy/credential_name.h"
#include "policy/sourced_policy.h"
#include "policy/text/text_rule.h"

namespace bawn {
namespace {

std::string_view kind_name(MountOpKind kind) {
  switch (kind) {
    case MountOpKind::bind:
      return "bind";
    case MountOpKind::mirror:
      return "mirror";
    case MountOpKind::directory:
      return "directory";
    case MountOpKind::scratch:
      return "scratch";
    case MountOpKind::link:
      return "link";
    case MountOpKind::file:
      return "file";
    case MountOpKind::proc:
      return "proc";
    case MountOpKind::terminals:
      return "terminals";
    case MountOpKind::hidden:
      return "hidden";
    case MountOpKind::program:
      return "program";
  }
  return "unknown";
}

std::string describe(const MountOp& op) {
  switch (op.kind) {
    case MountOpKind::bind:
      return op.source.path == op.destination ? "the host's"
                                              : concat("the host's ", quote(op.source.path));
    case MountOpKind::mirror:
      return "the host's, if it is there";
    case MountOpKind::directory:
      return "an empty directory";
    case MountOpKind::scratch:
      return "an empty directory of the run";
    case MountOpKind::link:
      return concat("a link to ", quote(op.content));
    case MountOpKind::file:
      return concat("a file of ", op.content.size(), " bytes, written for the run");
    case MountOpKind::proc:
      return "a new one that shows the run's processes only";
    case MountOpKind::terminals:
      return "the run's own terminals";
    case MountOpKind::hidden:
      return "nothing to see";
    case MountOpKind::program:
      return "the host's, which may be executed";
  }
  return "";
}

std::string_view access_of(const MountOp& op) {
  if (op.kind == MountOpKind::hidden) return "hidden";
  if (op.device) return "device";
  return op.writable ? "writable" : "read-only";
}

std::string_view access_of(FileAccess access) {
  switch (access) {
    case FileAccess::read:
      return "read-only";
    case FileAccess::write:
      return "writable";
    case FileAccess::device:
      return "device";
    case FileAccess::execute:
      return "executable";
  }
  return "unknown";
}

class Explainer {
 public:
  explicit Explainer(const ExplainInput& input)
      : input_(input),
        plan_(*input.plan),
        namespaces_(plan_.part<NamespacesPlan>()),
        policy_(input.policy->policy),
        host_(*input.host) {}

  Explanation run() && {
    explain_tier();
    explain_program();
    explain_identity();
    explain_namespaces();
    if (in_namespaces()) {
      explain_root();
    } else if (plan_.tier != Tier::unconfined) {
      explain_grants();
    }
    explain_executables();
    explain_open_hooks();
    explain_private_directory();
    explain_exceptions();
    for (const std::string& entry : plan_.environment) explain_variable(entry);
    explain_limits();
    out_.filter = input_.filter;
    out_.repairs = input_.repairs;
    explain_network();
    explain_landlock();
    return std::move(out_);
  }

 private:
  [[nodiscard]] ExplainedOrigin from_policy(std::string_view key) const {
    const auto found = input_.policy->origins.find(key);
    if (found != input_.policy->origins.end()) return {std::string(key), found->second};
    const std::string& preset = input_.policy->preset;
    return {std::string(key), preset.empty() ? "policy" : concat("preset ", preset)};
  }

  // For one element of a list: each element may have another source.
  [[nodiscard]] ExplainedOrigin from_policy(std::string_view key, std::string_view element) const {
    const auto found = input_.policy->origins.find(concat(key, element));
    if (found != input_.policy->origins.end()) return {std::string(key), found->second};
    return from_policy(key);
  }

  // Names workspace.root if it was set; otherwise workspace.mode, which the preset sets.
  [[nodiscard]] ExplainedOrigin workspace_origin() const {
    return from_policy(input_.policy->origins.contains("workspace.root") ? "workspace.root"
                                                                         : "workspace.mode");
  }

  // `noted` is MountOp::origin: a policy key, or a word such as "system".
  [[nodiscard]] ExplainedOrigin path_origin(const std::string& noted) const {
    if (noted == "workspace") return workspace_origin();
    if (noted.find('.') != std::string::npos) return from_policy(noted);
    return {"", noted};
  }

  void explain_tier() {
    out_.tier = plan_.tier;
    out_.tier_origin = from_policy("tier.use");
    if (in_namespaces() && accepts_tier_b(policy_) && !needs_own_root(policy_) &&
        !input_.request->pty && plan_.inputs.empty())
      out_.fallback = "tier b, if the host refuses namespaces";
  }

  void explain_program() {
    out_.program = plan_.program.file.path;
    out_.argv = plan_.program.argv;
    for (const Located& script : plan_.program.scripts) out_.scripts.push_back(script.path);
    out_.cwd = plan_.cwd.path;
    if (in_namespaces()) out_.cwd = namespaces_->root.cwd;
    if (!in_namespaces() && plan_.private_workspace) out_.cwd = in_private_directory("work");
  }

  [[nodiscard]] bool in_namespaces() const { return namespaces_ != nullptr; }
  [[nodiscard]] bool in_sandbox_profile() const { return plan_.boundary() == Boundary::profile; }
  [[nodiscard]] bool in_job() const { return plan_.boundary() == Boundary::job; }
  // On Linux, and only there, both tiers use Landlock and seccomp.
  [[nodiscard]] bool on_linux() const {
    return in_namespaces() || plan_.boundary() == Boundary::landlock;
  }

  void explain_identity() {
    out_.has_ids = !in_job();
    const RunUser user =
        in_namespaces() ? namespaces_->user : RunUser{host_.uid, host_.gid, host_.uid, host_.gid};
    out_.uid = user.uid;
    out_.gid = user.gid;
    out_.host_uid = user.host_uid;
    out_.host_gid = user.host_gid;
    if (user.origin == HostIdOrigin::range) out_.host_ids = "range";
    if (user.origin == HostIdOrigin::workspace_owner) out_.host_ids = "workspace_owner";
    out_.host_ids_lack = user.lack;
    if (user.maps)
      out_.id_ranges = ExplainedIdRanges{*user.maps, from_policy("identity.id_ranges")};
    if (plan_.tier == Tier::unconfined) {
      out_.privileges = {"the caller's: the policy asks for a run without a sandbox"};
      return;
    }
    if (in_job()) {
      out_.privileges = {
          "the caller's, without privileges and without the power of an administrator",
          plan_.private_workspace ? "low integrity: it can write to what is made for the run"
                                  : "the caller's integrity: its workspace is the user's own"};
      return;
    }
    if (!on_linux()) {
      out_.privileges = {"the caller's", "a session of its own"};
      return;
    }
    out_.privileges = {"no capabilities",
                       in_namespaces() ? "an empty bounding set"
                                       : "an empty bounding set, where the caller may empty it",
                       "no new privileges by exec", "a new session and a new session keyring",
                       plan_.filter()->refuse_set_group_id
                           ? "no set-user-id or set-group-id files can be made"
                           : "no set-user-id files can be made"};
  }

  // The cgroup namespace is made with the command, the others with init.
  void explain_namespaces() {
    if (!in_namespaces()) return;
    out_.namespaces = {"user", "mnt", "pid"};
    out_.command_is_pid_1 = namespaces_->as_pid_1;
    if (namespaces_->as_pid_1) out_.pid_1_origin = from_policy("identity.as_pid_1");
    if (plan_.network.is_isolated()) out_.namespaces.emplace_back("net");
    out_.namespaces.insert(out_.namespaces.end(), {"ipc", "uts", "cgroup"});
  }

  void add_path(const std::string& path, std::string_view kind, std::string_view access,
                std::string what, std::string source, ExplainedOrigin origin) {
    out_.paths.push_back({path, std::string(kind), std::string(access), std::move(what),
                          std::move(source), std::move(origin)});
  }

  void explain_root() {
    for (const MountOp& op : namespaces_->root.mounts) {
      if (op.kind == MountOpKind::program) continue;  // explain_executables() has it
      const std::string source = op.kind == MountOpKind::bind   ? op.source.path
                                 : op.kind == MountOpKind::link ? op.content
                                                                : "";
      add_path(op.destination, kind_name(op.kind), access_of(op), describe(op), source,
               path_origin(op.origin));
    }
    for (const std::string& path : plan_.still_missing)
      add_path(path, "missing", "watched", "not there; the outcome says if the command made it", "",
               from_policy("workspace.protect"));
    for (const std::string& path : plan_.git_hooks.still_missing)
      add_path(path, "missing", "watched", "not there; the outcome says if the command made it", "",
               from_policy("workspace.git_hooks"));
  }

  void explain_open_hooks() {
    for (const std::string& path : plan_.git_hooks.open)
      add_path(path, "git hooks", "writable", "the next git command outside runs them", "",
               from_policy("workspace.git_hooks"));
    for (const auto& [path, why] : plan_.git_hooks.unprotected)
      add_path(path, "git hooks", "writable", concat("not protected: ", why), "",
               from_policy("workspace.git_hooks"));
  }

  void explain_grants() {
    out_.paths_are_all = !in_job() && plan_.boundary() != Boundary::none;
    for (const FileGrant& grant : plan_.files())
      add_path(grant.target.path, "grant", access_of(grant.access), "the host's", grant.target.path,
               path_origin(grant.origin));
  }

  void explain_executables() {
    if (!plan_.executables) return;
    ExplainedExecutables& out = out_.executables.emplace();
    for (const AllowedFile& allowed : plan_.executables->files)
      out.files.push_back({allowed.file.path, std::string(to_string(allowed.why)), allowed.of});
    if (in_namespaces()) out.library_directories = namespaces_->root.library_directories;
    out.all_can_be_mapped = !in_namespaces();
    out.mappable_programs = input_.mappable_programs;
    out.origin = from_policy("executables.allow");
  }

  [[nodiscard]] std::string who_protects(const std::string& path) const {
    for (const auto* kept : {&plan_.inputs, &plan_.git_hooks.protect}) {
      for (const ProtectedInput& input : *kept) {
        if (input.file.path == path) return input.origin;
      }
    }
    const std::vector<std::string>& hooks = plan_.git_hooks.still_missing;
    const bool is_of_git = std::ranges::find(hooks, path) != hooks.end();
    return is_of_git ? "workspace.git_hooks" : "workspace.protect";
  }

  // For a sandbox profile: the rules that take access away again.
  void explain_exceptions() {
    const auto* profile = plan_.part<SandboxProfilePlan>();
    if (profile == nullptr) return;
    for (const std::string& path : profile->write_refused)
      add_path(path, "exception", "read-only", "not to be changed or made", "",
               path_origin(who_protects(path)));
    for (const std::string& path : profile->hidden)
      add_path(path, "exception", "hidden", "nothing to see", "", path_origin("workspace.hide"));
  }

  [[nodiscard]] std::string in_private_directory(std::string_view name) const {
    return concat(plan_.private_parent.path, "/", plan_.private_name, "/", name);
  }

  void explain_private_directory() {
    if (plan_.private_name.empty()) return;
    const auto add = [&](std::string_view name, ExplainedOrigin origin) {
      add_path(in_private_directory(name), "private", "writable",
               "made for the run and removed after it", "", std::move(origin));
    };
    if (plan_.private_workspace) add("work", workspace_origin());
    if (plan_.private_home) add("home", {"", "home"});
    if (plan_.private_tmp) add("tmp", from_policy("filesystem.tmp"));
  }

  void explain_variable(std::string_view entry) {
    const std::size_t equals = entry.find('=');
    const std::string name(entry.substr(0, equals));
    const std::string value(entry.substr(equals + 1));
    ExplainedVariable variable{.name = name, .value = {}, .why_hidden = "", .origin = {}};
    variable.origin = variable_origin(name);
    const bool passed = variable.origin.key == "environment.pass";
    if (passed) {
      variable.why_hidden = "the caller's value";
    } else if (variable.origin.source == "request") {
      variable.why_hidden = "the request's value";
    } else if (may_hold_secret(name, value)) {
      variable.why_hidden = concat("a secret of ", value.size(), " bytes");
    } else {
      variable.value = value;
    }
    out_.environment.push_back(std::move(variable));
  }

  // Checks the sources in the order in which the environment was built.
  [[nodiscard]] ExplainedOrigin variable_origin(const std::string& name) const {
    if (std::ranges::find(kOwnVariables, name) != kOwnVariables.end()) return {"", "bawn"};
    if (policy_.environment.set.contains(name))
      return from_policy("environment.set", concat(".", name));
    if (name == "TMPDIR" && plan_.private_tmp) return from_policy("filesystem.tmp");
    if (name == "HOME" && (in_namespaces() || plan_.private_workspace || plan_.private_home))
      return {"", "bawn"};
    if (input_.request->env.contains(name)) return {"", "request"};
    const std::vector<std::string>& pass = policy_.environment.pass;
    const auto passed = std::ranges::find(pass, name);
    const bool callers = std::ranges::find(plan_.passed, name) != plan_.passed.end();
    if (callers && passed != pass.end())
      return from_policy("environment.pass", concat("[", passed - pass.begin(), "]"));
    return {"", "bawn"};
  }

  void explain_limits() {
    const Limits& limits = plan_.limits;
    add_limit("wall_time_ms", limits.wall_time_ms, "a timer in bawn");
    if (input_.request->timeout_ms) out_.limits.back().origin = {"", "request"};
    if (in_job()) return explain_job_limits();
    add_limit("cpu_time_ms", limits.cpu_time_ms,
              concat(time_mechanism(), "; backstop RLIMIT_CPU=",
                     number_of(ProcessLimit::cpu_seconds), " s for each process"));
    add_limit("memory_bytes", limits.memory_bytes, memory_mechanism());
    add_limit("processes", limits.processes, process_mechanism());
    add_limit("cpu_percent", limits.cpu_percent, in_cgroup(CgroupController::cpu));
    explain_budget();
    add_limit("open_files", limits.open_files,
              concat("RLIMIT_NOFILE=", number_of(ProcessLimit::open_files), " for each process"));
    add_limit("file_bytes", limits.file_bytes,
              concat("RLIMIT_FSIZE=", number_of(ProcessLimit::file_bytes)));
    add_limit("output_bytes", limits.output_bytes, "stdout and stderr, counted by bawn");
    add_limit("tmp_bytes", limits.tmp_bytes,
              "the size of the tmpfs that holds all that the run makes");
    add_limit("core_bytes", 0, concat("RLIMIT_CORE=", number_of(ProcessLimit::core_bytes)));
    out_.limits.back().origin = {"", "bawn"};
  }

  void explain_job_limits() {
    const Limits& limits = plan_.limits;
    add_limit("cpu_time_ms", limits.cpu_time_ms,
              "the whole job, by its own limit and by its accounts");
    add_limit("memory_bytes", limits.memory_bytes,
              "committed memory of each process, and of the whole job");
    add_limit("processes", limits.processes, "of the whole job");
    add_limit("cpu_percent", limits.cpu_percent, "");
    add_limit("open_files", limits.open_files, "");
    add_limit("file_bytes", limits.file_bytes, "");
    add_limit("output_bytes", limits.output_bytes, "stdout and stderr, counted by bawn");
    add_limit("tmp_bytes", limits.tmp_bytes, "");
  }

  [[nodiscard]] std::string in_cgroup(CgroupController controller) const {
    if (!plan_.cgroup) return "";
    return concat("the whole tree: ", limit_file(plan_.cgroup->place.version, controller), " in ",
                  quote(plan_.cgroup->directory_of(controller)));
  }

  [[nodiscard]] std::string without_cgroup() const {
    return plan_.no_cgroup.empty() ? "" : concat("; no cgroup: ", plan_.no_cgroup);
  }

  [[nodiscard]] std::string_view time_mechanism() const {
    if (!on_linux()) return "what is found of the tree, by looking";
    if (plan_.cgroup && plan_.cgroup->place.version == CgroupVersion::v2)
      return "the whole tree: cpu.stat of its cgroup";
    return "processes that are alive or were waited for, measured by init";
  }

  [[nodiscard]] std::string memory_mechanism() const {
    if (plan_.cgroup && plan_.cgroup->limits.memory_bytes)
      return in_cgroup(CgroupController::memory);
    return concat("RLIMIT_DATA=", number_of(ProcessLimit::memory_data), ", private writable memory",
                  without_cgroup());
  }

  [[nodiscard]] std::string process_mechanism() const {
    if (plan_.cgroup && plan_.cgroup->limits.processes) return in_cgroup(CgroupController::pids);
    return concat("RLIMIT_NPROC=", number_of(ProcessLimit::processes), counted_with());
  }

  // Shown only if the policy sets a budget; most runs have none.
  void explain_budget() {
    if (!plan_.cgroup || !plan_.cgroup->budget) return;
    const CgroupPlan& cgroup = *plan_.cgroup;
    const auto add = [&](std::string_view name, const Limit& value, CgroupController controller) {
      if (!value) return;
      add_limit(name, value,
                concat("all runs together: ", limit_file(cgroup.place.version, controller), " in ",
                       quote(cgroup.budget_directory_of(controller))));
    };
    add("total_memory_bytes", plan_.limits.total_memory_bytes, CgroupController::memory);
    add("total_processes", plan_.limits.total_processes, CgroupController::pids);
  }

  void add_limit(std::string_view name, const Limit& value, std::string mechanism) {
    ExplainedLimit limit{.name = std::string(name),
                         .value = value,
                         .mechanism = value ? std::move(mechanism) : "",
                         .origin = from_policy(concat("limits.", name))};
    for (const AbsentLimit& absent : plan_.absent_limits) {
      if (absent.name != name) continue;
      limit.absent = true;
      limit.mechanism = absent.why;
    }
    for (const PartialLimit& partial : plan_.partial_limits) {
      if (partial.name != name) continue;
      limit.partial = true;
      limit.mechanism += concat("; ", partial.what_escapes);
    }
    out_.limits.push_back(std::move(limit));
  }

  [[nodiscard]] std::string number_of(ProcessLimit wanted) const {
    for (const LimitPlan& limit : plan_.process_limits) {
      if (limit.limit == wanted)
        return concat(limit.value,
                      limit.is_callers ? ", the limit that bawn was started with" : "");
    }
    return "none";
  }

  [[nodiscard]] std::string counted_with() const {
    if (in_namespaces()) return ", init counted in, in the run's own user namespace";
    return concat(", of which the user's other tasks are ", plan_.user_tasks);
  }

  void explain_network() {
    out_.network_isolated = plan_.network.is_isolated();
    out_.network_origin = from_policy("egress.mode");
    if (plan_.network.is_isolated()) {
      out_.network = refused_network();
    } else if (policy_.egress.mode == EgressMode::preflight) {
      out_.network = "the caller's, not isolated; hosts among the arguments were checked";
    } else {
      out_.network = "the caller's, not isolated";
    }
  }

  [[nodiscard]] std::string refused_network() const {
    if (in_namespaces()) return "a network namespace with a loopback and nothing else";
    if (!in_sandbox_profile())
      return "none: the filter refuses every socket that leads out of the run";
    return plan_.network.reach == NetworkReach::host_loopback
               ? "none but the machine's own loopback: the profile allows no other address"
               : "none: the profile allows no address";
  }

  void explain_landlock() {
    if (plan_.tier == Tier::unconfined || !on_linux()) return;
    out_.landlock_abi = host_.landlock_abi;
    out_.landlock_gaps = input_.landlock_gaps;
    if (host_.landlock_abi == 0) {
      out_.landlock = "absent: the kernel has no Landlock; the mounts alone confine files";
    } else if (in_namespaces()) {
      out_.landlock =
          "behind the mounts: reads everywhere, writes below writable places only, no device nodes";
    } else {
      out_.landlock = "refuses every file that is not listed above";
    }
  }

  const ExplainInput& input_;
  const Plan& plan_;
  const NamespacesPlan* namespaces_;  // null in another boundary
  const Policy& policy_;
  const HostFacts& host_;
  Explanation out_;
};

}  // namespace

Explanation explain_plan(const ExplainInput& input) { return Explainer(input).run(); }

}  // namespace bawn
