#include "plan/plan.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/characters.h"
#include "base/error.h"
#include "base/text.h"
#include "plan/exec_probe.h"
#include "plan/handoff_plan.h"
#include "plan/program_files.h"
#include "plan/root/destinations.h"
#include "plan/root/tool_places.h"
#include "plan/root/workspace_exceptions.h"
#include "policy/policy.h"
#include "policy/text/hint.h"
#include "policy/text/names.h"
#include "programs/program.h"
#include "validate/guest_paths.h"
#include "validate/scope.h"

namespace bawn {
namespace {

constexpr std::string_view kNoHostList =
    "this version cannot enforce a list of allowed hosts, in any tier";

// Builds the plan part by part. Each part adds what it promises, or a violation.
class Planner {
 public:
  explicit Planner(const PlanInput& input)
      : policy_(input.policy),
        request_(input.request),
        verdict_(input.verdict),
        identity_(input.identity),
        host_(input.host),
        limit_facts_(input.limits),
        setup_(input.setup),
        lookup_(input.lookup),
        boundary_(host_.boundary(input.tier)) {
    plan().tier = input.tier;
  }

  PlanResult run() && {
    plan().program = verdict_.program;
    plan().cwd = verdict_.cwd;
    plan().environment = verdict_.environment;
    plan().passed = verdict_.passed;
    plan().private_workspace = policy_.workspace.mode == WorkspaceMode::private_dir;
    plan().private_tmp = policy_.filesystem.tmp == Tmp::private_dir;
    result_.violations = judge_destinations(policy_, setup_);
    plan_terminal();
    if (request_.background) {
      refuse("background.unavailable", "background", "this version has no background runs",
             "leave 'background' out of the request");
    }
    plan_git();
    plan_boundary();
    set_variable("BAWN", "1");
    set_variable("BAWN_RUN_ID", identity_.run_id);
    set_variable("SANDBOX_RUNTIME", "1");
    if (plan().tier != Tier::unconfined && !policy_.executables.allow_all) force_git_settings();
    plan_limits();
    return std::move(result_);
  }

 private:
  Plan& plan() { return result_.plan; }

  void refuse(std::string code, std::string subject, std::string message, std::string hint) {
    result_.violations.push_back(
        {std::move(code), std::move(subject), std::move(message), std::move(hint)});
  }

  void refuse(Violations violations) {
    for (Violation& violation : violations) result_.violations.push_back(std::move(violation));
  }

  void plan_git() {
    const WorkspacePolicy& workspace = policy_.workspace;
    if (workspace.git_hooks == GitHooksMode::open && !workspace.handoff) return;
    const GitDirectories found =
        find_git_directories(verdict_.scope.writable_on_host, lookup_.host());
    plan().git_hooks = plan_git_hooks(
        found, {.mode = workspace.git_hooks, .tier = plan().tier, .boundary = boundary_},
        verdict_.scope);
    if (workspace.handoff) plan().handoff = plan_handoff(found, verdict_.scope);
  }

  void plan_boundary() {
    if (plan().tier == Tier::unconfined) return plan_unconfined();
    switch (boundary_) {
      case Boundary::namespaces:
        return plan_tier_c();
      case Boundary::profile:
        return plan_sandbox_profile();
      case Boundary::landlock:
        return plan_tier_b();
      case Boundary::none:
        plan_without_sandbox();
        plan().by_boundary = NoSandboxPlan{std::move(files_)};
        return;
      case Boundary::job:
        plan_without_sandbox();
        plan().by_boundary = JobPlan{std::move(files_)};
        return;
    }
  }

  // Without a sandbox only the validator's checks, the limits and the private directories hold. Any
  // other restriction would be dropped silently, so a policy that asks for one is refused.
  void plan_unconfined() {
    plan().network.reach = NetworkReach::everything;
    plan_private_directory();
    refuse_what_needs_namespaces("tier c on Linux");
    const WorkspacePolicy& workspace = policy_.workspace;
    if (workspace.mode == WorkspaceMode::read_only)
      refuse_without_sandbox("workspace.mode 'read_only'", "workspace.mode", "set it to 'direct'");
    if (!workspace.hide.empty())
      refuse_without_sandbox("workspace.hide", "workspace.hide", "leave it out");
    if (!workspace.protect.empty())
      refuse_without_sandbox("workspace.protect", "workspace.protect", "leave it out");
    const ExecutablesPolicy& programs = policy_.executables;
    if (!programs.allow_all) {
      refuse_without_sandbox("a list in executables.allow", "executables.allow",
                             "set it to \"all\"; executables.block holds without a sandbox too");
    }
    for (const auto& [key, allowed] :
         {std::pair("executables.interpreters", programs.interpreters),
          std::pair("executables.from_workspace", programs.from_workspace)}) {
      if (!allowed) refuse_without_sandbox(concat(key, " false"), key, "set it to true");
    }
    if (!policy_.arguments.refuse_paths.empty())
      refuse_without_sandbox("arguments.refuse_paths", "arguments.refuse_paths", "leave it out");
    const EgressMode egress = policy_.egress.mode;
    if (egress == EgressMode::strict || egress == EgressMode::block_all) {
      refuse_without_sandbox(concat("egress.mode ", quote(to_string(egress))), "egress.mode",
                             "--egress allow_all, or --egress preflight, which does not isolate "
                             "the network (policy key: egress.mode)");
    }
  }

  void refuse_without_sandbox(std::string_view what, std::string_view key,
                              std::string_view otherwise) {
    refuse("tier.unavailable", std::string(key),
           concat(what, " needs a sandbox, and this policy asks for none"),
           concat("try --tier auto (policy key: tier.use), or ", otherwise));
  }

  void plan_private_directory() {
    if (!plan().private_workspace && !plan().private_tmp && !plan().private_home) return;
    plan().private_parent = lookup_.locate(host_.private_parent);
    plan().private_name = identity_.private_name;
    if (plan().private_parent.kind != FileKind::directory) {
      refuse("workspace.missing", host_.private_parent,
             concat("there is no ", quote(host_.private_parent),
                    " to make the run's private directory in"),
             "create it");
    }
    plan_private_variables();
  }

  void set_variable(std::string_view name, std::string_view value) {
    const std::string prefix = concat(name, "=");
    std::erase_if(plan().environment,
                  [&](const std::string& entry) { return entry.starts_with(prefix); });
    plan().environment.push_back(concat(prefix, value));
  }

  // Sets the variable unless the policy sets it.
  void offer_variable(const std::string& name, std::string_view value) {
    if (!policy_.environment.set.contains(name)) set_variable(name, value);
  }

  void plan_private_variables() {
    const std::string directory = concat(plan().private_parent.path, "/", plan().private_name);
    if (plan().private_home)
      offer_variable("HOME", concat(directory, "/home"));
    else if (plan().private_workspace)
      offer_variable("HOME", concat(directory, "/work"));
    if (plan().private_tmp) offer_variable("TMPDIR", concat(directory, "/tmp"));
  }

  // Tier c on Linux: new root, network and processes.
  void plan_tier_c() {
    plan_network("egress.unavailable", "this version cannot enforce a list of allowed hosts",
                 NetworkReach::own_loopback);
    require_seccomp();
    if (host_.landlock_error != 0) {
      refuse("tier.unavailable", "landlock",
             concat("the kernel does not say whether it has Landlock: ",
                    errno_text(host_.landlock_error)),
             "look for what forbids landlock_create_ruleset: a seccomp filter around bawn, or a "
             "security module");
    }
    plan_executables();
    NamespacesPlan part{.user = setup_->user, .as_pid_1 = setup_->as_pid_1};
    if (auto objection = objection_to(part.user, policy_.identity, host_))
      result_.violations.push_back(*std::move(objection));
    part.filter = filter_of_tier_c(part.user);
    plan_inputs(part.filter);
    std::vector<ProtectedInput> kept = plan().inputs;
    kept.insert(kept.end(), plan().git_hooks.protect.begin(), plan().git_hooks.protect.end());
    part.root = plan_root({.policy = policy_,
                           .verdict = verdict_,
                           .setup = *setup_,
                           .caller_home = identity_.home,
                           .search = identity_.search,
                           .inputs = kept},
                          lookup_);
    plan().still_missing = std::exchange(part.root.still_missing, {});
    refuse(std::exchange(part.root.violations, {}));
    offer_variable("HOME", part.root.home);
    if (plan().private_tmp) offer_variable("TMPDIR", "/tmp");
    plan().by_boundary = std::move(part);
  }

  // The built-in default refuses more in runs by root: a file of root's with a set-group-ID bit
  // would keep its power after the run.
  [[nodiscard]] FilterPlan filter_of_tier_c(const RunUser& user) const {
    const std::string& profile = policy_.system_calls.profile;
    FilterPlan filter{.name = profile,
                      .refuse_set_group_id = profile == "strict" || is_run_by_root(user, host_),
                      .refuse_memfd = !policy_.executables.allow_all};
    if (profile == "default" && filter.refuse_set_group_id) filter.name = "default-root";
    if (profile.starts_with('/')) filter.file = lookup_.locate(profile);
    return filter;
  }

  // A seccomp profile is read later, from the located file. If it does not exist, that is reported
  // then.
  void plan_inputs(const FilterPlan& filter = {}) {
    std::vector<InputFile> inputs = identity_.inputs;
    if (filter.file.kind == FileKind::regular)
      inputs.push_back(
          {"system_calls.profile", filter.name, filter.file.device, filter.file.inode});
    InputProtection found = protect_inputs(inputs, boundary_, verdict_.scope, lookup_);
    plan().inputs = std::move(found.protect);
    refuse(std::move(found.violations));
  }

  // Tier b on Linux. Landlock rules only add rights: nothing below a granted directory can be
  // excluded.
  void plan_tier_b() {
    plan_private_directory();
    refuse_what_needs_namespaces("tier c");
    if (host_.landlock_abi == 0) {
      refuse("tier.unavailable", "landlock", "this kernel cannot confine file access (no Landlock)",
             "boot with 'lsm=landlock,...', or a kernel from 5.13 on");
    } else {
      plan_files();
      plan_executables();
      grant_executables();
      plan_inputs();
      refuse_holes();
    }
    plan_network("tier.unavailable", kNoHostList, NetworkReach::nothing);
    require_seccomp();
    // The command can chmod every file that the user owns, because no mount is in its way.
    plan().by_boundary = LandlockPlan{
        .files = std::move(files_),
        .filter = {.name = plan().network.is_isolated() ? "no-network" : "tier-b",
                   .refuse_set_group_id = true,
                   .refuse_memfd = !policy_.executables.allow_all},
        .private_exec = plan().private_workspace && policy_.executables.from_workspace};
  }

  void plan_executables() {
    if (policy_.executables.allow_all) return;
    plan().executables = verdict_.executables.value_or(ExecutableList{});
    plan().exec_probe = choose_exec_probe(*plan().executables, policy_.filesystem, lookup_);
  }

  // Landlock adds the rights of all grants that lead to a file.
  void grant_executables() {
    if (!plan().executables) return;
    for (const AllowedFile& allowed : plan().executables->files)
      files_.push_back({allowed.file, FileAccess::execute, "executables.allow"});
    if (policy_.executables.from_workspace && !verdict_.workspace.path.empty())
      files_.push_back({verdict_.workspace, FileAccess::execute, "executables.from_workspace"});
    grant_execution(policy_.filesystem.read, "filesystem.read");
    grant_execution(policy_.filesystem.write, "filesystem.write");
  }

  void grant_execution(const std::vector<Grant>& grants, std::string_view key) {
    for (const Grant& each : grants) {
      if (each.exec) grant(each, FileAccess::execute, key);
    }
  }

  // macOS: the command works on the host's files under a sandbox profile, with a private home.
  void plan_sandbox_profile() {
    plan().private_home = true;
    plan_private_directory();
    refuse_what_needs_namespaces("Linux");
    refuse_workspace_of_the_system();
    plan_files();
    plan_tools();
    plan_inputs();
    SandboxProfilePlan part{.trust_service = policy_.macos.trust_service};
    plan_exceptions(part);
    plan_network("egress.unavailable",
                 "a sandbox profile knows addresses and not names: it cannot enforce a list of "
                 "allowed hosts",
                 policy_.macos.loopback ? NetworkReach::host_loopback : NetworkReach::nothing);
    part.files = std::move(files_);
    plan().by_boundary = std::move(part);
  }

  // Other programs trust what lies in system directories, so the command may not write there.
  void refuse_workspace_of_the_system() {
    const std::string& workspace = verdict_.workspace.path;
    if (workspace.empty()) return;
    const auto overlaps = [&](const std::string& place) {
      return path_is_within(workspace, place) || path_is_within(place, workspace);
    };
    if (workspace == "/" || std::ranges::any_of(host_.system_paths, overlaps))
      result_.violations.push_back(workspace_of_system(workspace));
  }

  // Skips a directory that contains the home: it would show everything in the home.
  void plan_tools() {
    const bool has_home = identity_.home.starts_with('/');
    const std::string home = has_home ? lookup_.locate(identity_.home).path : "";
    for (const std::string& directory : identity_.search) {
      for (const std::string& path : tool_places(directory, home)) {
        Located located = lookup_.locate(path);
        const bool may_be_shown = located.kind == FileKind::directory &&
                                  !is_led_astray(located, verdict_.scope, home) &&
                                  !path_is_within(home, located.path);
        if (may_be_shown)
          files_.push_back({std::move(located), FileAccess::read, "executables.caller_path"});
      }
    }
  }

  void plan_exceptions(SandboxProfilePlan& profile) {
    WorkspaceExceptions found = find_exceptions(policy_, verdict_, lookup_);
    for (const Located& target : found.hide) profile.hidden.push_back(target.path);
    for (const Located& target : found.protect) profile.write_refused.push_back(target.path);
    for (const std::string& path : found.still_missing) profile.write_refused.push_back(path);
    for (const auto* kept : {&plan().inputs, &plan().git_hooks.protect}) {
      for (const ProtectedInput& input : *kept) profile.write_refused.push_back(input.file.path);
    }
    for (const std::string& path : plan().git_hooks.still_missing)
      profile.write_refused.push_back(path);
    for (const auto* paths : {&profile.hidden, &profile.write_refused}) {
      for (const std::string& path : *paths) pin(path, profile.pinned);
    }
    plan().still_missing = std::move(found.still_missing);
    refuse(std::move(found.violations));
  }

  // Pins the ancestors of `path` in the workspace and in every writable grant.
  void pin(const std::string& path, std::vector<std::string>& pinned) {
    pin_between(verdict_.workspace.path, path, pinned);
    for (const FileGrant& grant : files_) {
      if (grant.access == FileAccess::write) pin_between(grant.target.path, path, pinned);
    }
  }

  static void pin_between(std::string_view root, std::string_view path,
                          std::vector<std::string>& pinned) {
    for (std::string& directory : directories_between(root, path)) {
      if (std::ranges::find(pinned, directory) == pinned.end())
        pinned.push_back(std::move(directory));
    }
  }

  // No mechanism checks the command's accesses, so a policy that relies on one is refused.
  void plan_without_sandbox() {
    plan_private_directory();
    refuse_what_needs_namespaces("Linux");
    plan_files();
    refuse_holes();
    if (policy_.workspace.mode == WorkspaceMode::read_only) {
      refuse("tier.unavailable", "workspace.mode",
             "tier b cannot keep the command from writing to its workspace here",
             "set workspace.mode to 'direct' or 'private' in the policy, or try --tier namespaces "
             "(policy key: tier.use) where the host has it");
    }
    plan_network("tier.unavailable", kNoHostList, NetworkReach::nothing);
    if (plan().network.is_isolated()) {
      refuse("tier.unavailable", "egress.mode",
             "tier b cannot keep the command from the network here",
             "try --egress preflight, which does not isolate the network (policy key: "
             "egress.mode), or --tier namespaces where the host has it");
    }
  }

  // A key that only Linux namespaces can satisfy is refused, not dropped silently. Also without a
  // sandbox: a command that keeps the caller's identity would have more rights than the policy
  // says.
  void refuse_what_needs_namespaces(std::string_view home_of_namespaces) {
    // A new member does not compile here until it is handled.
    const auto& [as_root, uid, gid, first_host_id, host_id_count, id_ranges, as_pid_1] =
        policy_.identity;
    const IdentityPolicy usual;
    if (first_host_id != usual.first_host_id)
      refuse_key("identity.first_host_id", home_of_namespaces);
    if (host_id_count != usual.host_id_count)
      refuse_key("identity.host_id_count", home_of_namespaces);
    if (as_root) refuse_key("identity.as_root", home_of_namespaces);
    if (uid) refuse_key("identity.uid", home_of_namespaces);
    if (gid) refuse_key("identity.gid", home_of_namespaces);
    if (id_ranges) refuse_key("identity.id_ranges", home_of_namespaces);
    if (as_pid_1) refuse_key("identity.as_pid_1", home_of_namespaces);
    if (policy_.system_calls != SystemCallsPolicy{})
      refuse_key("system_calls.profile", home_of_namespaces);
  }

  void refuse_key(std::string_view key, std::string_view home) {
    refuse("tier.unavailable", std::string(key), concat(key, " needs ", home),
           concat(home == "Linux"    ? "use Linux"
                  : home == "tier c" ? "try --tier namespaces (policy key: tier.use)"
                                     : "try --tier namespaces (policy key: tier.use) on Linux",
                  ", or leave ", key, " out"));
  }

  // Any program that writes files can make a repository, and git would run what its settings name
  // (`git apply` makes a bare one). A policy that lists programs does not mean that. These settings
  // come after those that the policy itself gives in this way, and win over every file.
  void force_git_settings() {
    constexpr std::string_view kCount = "GIT_CONFIG_COUNT=";
    const auto given = std::find_if(plan().environment.begin(), plan().environment.end(),
                                    [&](const auto& entry) { return entry.starts_with(kCount); });
    std::size_t count = 0;
    if (given != plan().environment.end()) {
      const std::string_view text = std::string_view(*given).substr(kCount.size());
      if (!is_number(text) || text.size() > 4) return;  // git refuses to run with it
      std::from_chars(text.data(), text.data() + text.size(), count);
    }
    for (const std::string_view setting : words_of(WordList::git_forced_settings)) {
      const std::size_t equals = setting.find('=');
      set_variable(concat("GIT_CONFIG_KEY_", count), setting.substr(0, equals));
      set_variable(concat("GIT_CONFIG_VALUE_", count), setting.substr(equals + 1));
      ++count;
    }
    set_variable("GIT_CONFIG_COUNT", std::to_string(count));
  }

  // With the caller's terminal a command could inject input (TIOCSTI), change modes that the shell
  // inherits afterwards, and give other users access (fchmod). So a confined command gets a private
  // pty wherever init can make one.
  void plan_terminal() {
    // stdin is the request's text, and a terminal would echo it.
    constexpr std::uint32_t kOutputs = 0b110;
    plan().terminal.stdio = identity_.terminals | (request_.pty ? kOutputs : 0);
    if (plan().terminal.stdio == 0) return;
    const bool has_init = boundary_ == Boundary::namespaces || boundary_ == Boundary::landlock;
    plan().terminal.use = has_init ? TerminalUse::own : TerminalUse::the_callers;
    plan().terminal.led_by_command = has_init && policy_.identity.as_pid_1;
    plan().terminal.replaces_callers = has_init && identity_.terminals != 0;
    if (request_.pty && !has_init) {
      refuse("pty.unavailable", "pty", "a terminal for the command needs a sandbox on Linux",
             "leave 'pty' out");
    }
  }

  void plan_files() {
    for (const std::string& path : host_.system_paths) grant_if_present(path, FileAccess::read);
    for (const std::string& path : host_.device_paths) grant_if_present(path, FileAccess::device);
    if (policy_.workspace.mode != WorkspaceMode::private_dir) {
      const bool writable = policy_.workspace.mode == WorkspaceMode::direct;
      files_.push_back(
          {verdict_.workspace, writable ? FileAccess::write : FileAccess::read, "workspace"});
    }
    for (const Grant& each : policy_.filesystem.read)
      grant(each, FileAccess::read, "filesystem.read");
    for (const Grant& each : policy_.filesystem.write)
      grant(each, FileAccess::write, "filesystem.write");
    for (const NamedFile& named : files_of(verdict_.program, verdict_.scope)) grant_program(named);
  }

  void grant_program(const NamedFile& named) {
    const auto shows = [&](const FileGrant& grant) {
      return path_is_within(named.file->path, grant.target.path);
    };
    if (named.by_the_run && std::ranges::none_of(files_, shows))
      return result_.violations.push_back(choice_of_the_run(*named.file));
    files_.push_back({*named.file, FileAccess::read, "program"});
  }

  void grant_if_present(const std::string& path, FileAccess access) {
    Located located = lookup_.locate(path);
    if (located.kind != FileKind::missing) files_.push_back({std::move(located), access, "system"});
  }

  void grant(const Grant& grant, FileAccess access, std::string_view key) {
    Located located = lookup_.locate(grant.path);
    if (located.kind == FileKind::missing)
      return result_.violations.push_back(grant_missing(grant, located, key, lookup_));
    files_.push_back({std::move(located), access, std::string(key)});
  }

  void refuse_holes() {
    for (const std::string& path : policy_.workspace.hide) refuse_hole("workspace.hide", path);
    for (const std::string& path : policy_.workspace.protect)
      refuse_hole("workspace.protect", path);
  }

  void refuse_hole(std::string_view key, const std::string& path) {
    refuse("tier.unavailable", path,
           concat(key, " needs tier c: tier b cannot except a path from its workspace"),
           concat("try --tier namespaces (policy key: tier.use), or take ", quote(path), " out of ",
                  key));
  }

  // No boundary can enforce a list of hosts yet; `why` says what it lacks. `isolated` is what is
  // left where the policy allows no network.
  void plan_network(std::string_view code, std::string_view why, NetworkReach isolated) {
    const bool refused = refuses_network(policy_.egress);
    plan().network.reach = refused ? isolated : NetworkReach::everything;
    if (policy_.egress.mode == EgressMode::strict && !refused) {
      refuse(std::string(code), "egress.mode", std::string(why),
             "try --egress block_all, or --egress preflight, which does not isolate the network "
             "(policy key: egress.mode)");
    }
  }

  void require_seccomp() {
    if (!host_.seccomp_filters) {
      refuse("tier.unavailable", "seccomp",
             "this kernel cannot keep the command from the network and from other processes (no "
             "seccomp filters)",
             "use a kernel with CONFIG_SECCOMP_FILTER");
    }
  }

  // A lower hard limit is kept: it cannot be raised.
  void add_limit(ProcessLimit limit, std::uint64_t value) {
    const std::uint64_t most = host_.hard_limit(limit).value_or(value);
    plan().process_limits.push_back({limit, std::min(value, most), most < value});
  }

  // The only limit of which less is weaker: with 0 a crash starts the host's handler.
  void plan_core_limit() {
    add_limit(ProcessLimit::core_bytes, host_.no_core_bytes);
    if (plan().process_limits.back().is_callers)
      admit("core_bytes",
            "bawn was started with RLIMIT_CORE=0, so a crash starts the core-dump handler of the "
            "host, if kernel.core_pattern names one");
  }

  void plan_limits() {
    plan().limits = policy_.limits;
    // The validator ensures that it is not longer.
    if (request_.timeout_ms) plan().limits.wall_time_ms = request_.timeout_ms;
    const Limits& limits = policy_.limits;
    plan_core_limit();
    // At least a second more than the tree may use, as a backstop: the supervisor ends the run
    // first and can say why.
    const Limit backstop = limits.cpu_time_ms ? *limits.cpu_time_ms / 1000 + 2 : Limit();
    plan_limit(ProcessLimit::cpu_seconds, backstop, "cpu_time_ms");
    plan_cgroup_limits();
    // RLIMIT_DATA also counts memory that is reserved but never used. Beside a cgroup limit it
    // would refuse that, and a failed run could not tell which of the two limits it hit.
    const bool whole_tree = plan().cgroup && plan().cgroup->limits.memory_bytes;
    if (!whole_tree) plan_limit(ProcessLimit::memory_data, limits.memory_bytes, "memory_bytes");
    admit_partial_limits();
    plan_limit(ProcessLimit::open_files, limits.open_files, "open_files");
    plan_limit(ProcessLimit::file_bytes, limits.file_bytes, "file_bytes");
    plan_process_limit();
    plan_tmp_limit();
  }

  // A Job Object counts all its processes. Elsewhere per-process limits stand in for limits of the
  // tree.
  void admit_partial_limits() {
    if (boundary_ == Boundary::job) return;
    if (has_process_limit(ProcessLimit::memory_data))
      admit("memory_bytes",
            "each process has the limit for itself, and shared memory (MAP_SHARED, memfd_create, "
            "shm_open, files in a tmpfs) is not counted");
    const bool has_accounts = plan().cgroup && plan().cgroup->place.version == CgroupVersion::v2;
    if (has_process_limit(ProcessLimit::cpu_seconds) && !has_accounts)
      admit("cpu_time_ms",
            "what a process used that has ended and was not waited for is not counted");
  }

  void admit(std::string_view limit, std::string_view what_escapes) {
    plan().partial_limits.push_back({std::string(limit), std::string(what_escapes)});
  }

  [[nodiscard]] bool has_process_limit(ProcessLimit wanted) {
    return std::ranges::count(plan().process_limits, wanted, &LimitPlan::limit) != 0;
  }

  void plan_limit(ProcessLimit limit, const Limit& value, std::string_view name) {
    if (value && !is_lacking(name)) add_limit(limit, *value);
  }

  // If this system does not have the limit, true, and the run goes without it.
  bool is_lacking(std::string_view name) {
    const auto found = std::ranges::find(host_.lacking_limits, name, &LackingLimit::limit);
    if (found == host_.lacking_limits.end()) return false;
    go_without(name, found->why, "");
    return true;
  }

  void plan_tmp_limit() {
    if (!policy_.limits.tmp_bytes || boundary_ == Boundary::namespaces) return;
    if (is_lacking("tmp_bytes")) return;
    go_without("tmp_bytes", "tier b cannot bound the size of a temporary directory",
               "try --tier namespaces (policy key: tier.use), or ");
  }

  void plan_cgroup_limits() {
    const CgroupWish wish = cgroup_wish(policy_.limits);
    if (wish.empty()) return;
    plan().no_cgroup = limit_facts_.cgroup_reason;
    if (limit_facts_.cgroup_place) {
      plan().cgroup = plan_cgroup(wish, *limit_facts_.cgroup_place, identity_.private_name);
    } else if (wish.insists) {
      refuse(
          "limit.cgroup_unavailable", policy_.limits.cgroup_parent,
          concat("no cgroup can be made below limits.cgroup_parent: ", limit_facts_.cgroup_reason),
          "name a cgroup that you may make others in, or leave limits.cgroup_parent out; 'bawn "
          "doctor' tells what this host offers");
      return;
    }
    const bool has_rate = plan().cgroup && plan().cgroup->limits.cpu_rate;
    if (wish.limits.cpu_rate && !has_rate) {
      go_without(
          "cpu_percent",
          concat("only a cgroup can enforce limits.cpu_percent: ", limit_facts_.cgroup_reason),
          "run bawn where it may make cgroups, or ");
    }
  }

  // For a limit that this host cannot enforce: a violation, unless limits.optional names it.
  void go_without(std::string_view limit, std::string_view why, std::string_view hint) {
    const std::vector<std::string>& optional = policy_.limits.optional;
    if (std::ranges::find(optional, limit) != optional.end()) {
      plan().absent_limits.push_back({std::string(limit), std::string(why)});
      return;
    }
    refuse("limit.unenforceable", concat("limits.", limit), std::string(why),
           concat(hint, lift_limit(concat("limits.", limit)), ", or name it in limits.optional"));
  }

  static bool is_exempt(CapabilitySet capabilities) {
    return capabilities.has(Capability::sys_resource) || capabilities.has(Capability::sys_admin);
  }

  void plan_process_limit() {
    if (!policy_.limits.processes || (plan().cgroup && plan().cgroup->limits.processes)) return;
    const std::uint64_t wanted = *policy_.limits.processes;
    if (is_lacking("processes")) return;
    if (boundary_ == Boundary::job) return add_limit(ProcessLimit::processes, wanted);
    const auto* own_users = plan().part<NamespacesPlan>();
    // A command without a boundary keeps the caller's ambient capabilities.
    const bool exempt = boundary_ == Boundary::none && is_exempt(host_.capabilities);
    const bool binds =
        own_users != nullptr ? own_users->user.host_uid != 0 : host_.process_limit_binds;
    if (!binds || exempt) {
      go_without("processes",
                 exempt && binds
                     ? "the kernel exempts CAP_SYS_RESOURCE and CAP_SYS_ADMIN from RLIMIT_NPROC"
                     : "the kernel exempts root from RLIMIT_NPROC",
                 "run bawn as an ordinary user or where it may make cgroups, or ");
      return;
    }
    // In a new user namespace the kernel counts only the run's tasks, including init (+ 1).
    if (own_users != nullptr) return add_limit(ProcessLimit::processes, wanted + 1);
    plan().user_tasks = limit_facts_.user_tasks;
    add_limit(ProcessLimit::processes, limit_facts_.user_tasks + wanted);
    admit("processes",
          "the kernel counts all tasks of the user, so the run can have more when others end");
  }

  const Policy& policy_;
  const Request& request_;
  const Verdict& verdict_;
  const RunIdentity& identity_;
  const HostFacts& host_;
  const LimitFacts& limit_facts_;
  const SetupPlan* setup_;
  const PathLookup& lookup_;
  Boundary boundary_;
  std::vector<FileGrant> files_;
  PlanResult result_;
};

Violation tier_unavailable(std::string message, std::string hint) {
  return {"tier.unavailable", "tier", std::move(message), std::move(hint)};
}

}  // namespace

bool needs_own_root(const Policy& policy) {
  return policy.identity != IdentityPolicy{} || policy.system_calls != SystemCallsPolicy{} ||
         !policy.workspace.hide.empty() || !policy.workspace.protect.empty() ||
         remaps_grants(policy.filesystem);
}

std::variant<Tier, Violation> choose_tier(const Policy& policy, const HostFacts& host) {
  const auto below_floor = [&](Tier tier) { return tier < policy.tier.floor; };
  switch (policy.tier.use) {
    case TierChoice::unconfined:
      if (!below_floor(Tier::unconfined)) return Tier::unconfined;
      return tier_unavailable("tier.use is \"unconfined\", and tier.floor does not accept that",
                              "try --tier auto (policy key: tier.use)");
    case TierChoice::b:
      if (!host.tier_b) return tier_unavailable("this host has no tier b", "");
      if (!below_floor(Tier::b)) return Tier::b;
      return tier_unavailable(
          "tier b is below the policy's floor",
          "try --tier namespaces (policy key: tier.use), or set tier.floor to \"b\"");
    case TierChoice::c:
    case TierChoice::automatic:
      break;
  }
  if (host.tier_c) return Tier::c;
  if (policy.tier.use == TierChoice::automatic && host.tier_b && !below_floor(Tier::b))
    return Tier::b;
  return tier_unavailable(concat("tier c is required and not available: ", host.tier_c_reason),
                          "try --tier process (policy key: tier.floor)");
}

PlanResult plan_run(const PlanInput& input) { return Planner(input).run(); }

void close_files(Plan& plan) {
  plan.cwd.file.reset();
  if (plan.executables) {
    for (AllowedFile& allowed : plan.executables->files) allowed.file.file.reset();
  }
  plan.private_parent.file.reset();
  for (auto* kept : {&plan.inputs, &plan.git_hooks.protect}) {
    for (ProtectedInput& input : *kept) input.file.file.reset();
  }
  std::visit(
      [](auto& part) {
        if constexpr (requires { part.files; })
          for (FileGrant& grant : part.files) grant.target.file.reset();
        if constexpr (requires { part.root; })
          for (MountOp& op : part.root.mounts) op.source.file.reset();
        if constexpr (requires { part.filter; }) part.filter.file.file.reset();
      },
      plan.by_boundary);
}

std::string_view to_string(NetworkReach reach) {
  switch (reach) {
    case NetworkReach::nothing:
      return "nothing";
    case NetworkReach::own_loopback:
      return "own_loopback";
    case NetworkReach::host_loopback:
      return "host_loopback";
    case NetworkReach::everything:
      return "everything";
  }
  return "unknown";
}

std::span<const FileGrant> Plan::files() const {
  return std::visit(
      [](const auto& part) -> std::span<const FileGrant> {
        if constexpr (requires { part.files; }) return part.files;
        return {};
      },
      by_boundary);
}

const FilterPlan* Plan::filter() const {
  return std::visit(
      [](const auto& part) -> const FilterPlan* {
        if constexpr (requires { part.filter; }) return &part.filter;
        return nullptr;
      },
      by_boundary);
}

}  // namespace bawn
