#include "front/cli/input/policy_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/text.h"
#include "front/cli/input/files.h"
#include "json/document.h"
#include "policy/field.h"
#include "policy/names.h"
#include "policy/policy_check.h"
#include "policy/policy_json.h"
#include "policy/preset.h"
#include "policy/quantity.h"
#include "policy/text_rule.h"

namespace bawn::cli {
namespace {

// One flag: the value it sets and the path under which `policy show` would list it.
struct Overlay {
  std::string_view flag;
  std::string_view path;
  Result<void> (*apply)(Policy& policy, std::string_view value);
  std::string (*spell)(std::uint64_t amount) =
      nullptr;  // for a limit: writes an amount in the flag's units
};

template <auto Parse, auto Member>
Result<void> set_limit(Policy& policy, std::string_view value) {
  BAWN_ASSIGN(policy.limits.*Member, Parse(value));
  return {};
}

Result<void> set_tier(Policy& policy, std::string_view value) {
  constexpr std::array<std::string_view, 3> kTiers{"auto", "process (b)", "namespaces (c)"};
  const auto use = parse_tier(value);
  if (!use && !vocabulary<TierChoice>().objection(value).empty()) return use.error();
  if (!use) return invalid_error(concat(quote(value), " is not a tier: expected ", one_of(kTiers)));
  if (use.value() == TierChoice::unconfined)
    return invalid_error("for a run without a sandbox say --policy disabled");
  policy.tier.use = use.value();
  // Sets the floor to the typed tier too. check_policy() refuses a tier below the floor, and the
  // user has accepted this tier by typing it.
  if (use.value() == TierChoice::b) policy.tier.floor = Tier::b;
  if (use.value() == TierChoice::c) policy.tier.floor = Tier::c;
  return {};
}

Result<void> set_egress(Policy& policy, std::string_view value) {
  BAWN_ASSIGN(policy.egress.mode, parse_egress_mode(value));
  return {};
}

Result<void> add_host(Policy& policy, std::string_view value) {
  const auto host = parse_egress_host(value);
  if (!host)
    return invalid_error(
        concat(quote(value), " is not a host; expected 'example.com' or 'example.com:443'"));
  policy.egress.hosts.push_back(*host);
  // block_all plus an allowed host means "no network except this host", which is strict.
  if (policy.egress.mode == EgressMode::block_all) policy.egress.mode = EgressMode::strict;
  return {};
}

Result<void> set_variable(Policy& policy, std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    return invalid_error(concat("expected KEY=VALUE, found ", quote(value)));
  }
  policy.environment.set[std::string(value.substr(0, equals))] =
      std::string(value.substr(equals + 1));
  return {};
}

template <auto Section, auto Member>
Result<void> add_text(Policy& policy, std::string_view value) {
  if (value.empty()) return invalid_error("expected a value that is not empty");
  auto& list = (policy.*Section).*Member;
  if (std::ranges::find(list, value) == list.end()) list.emplace_back(value);
  return {};
}

Result<std::string> destination(std::string_view text) {
  const std::optional<Fault> fault = check_text(kDestination, text);
  if (!fault) return std::string(text);
  return invalid_error(concat(fault->message,
                              fault->hint.empty() ? "" : concat(" (", fault->hint, ")"),
                              "; a path that contains ':/' can only be granted in a policy file"));
}

// PATH or PATH:AT. AT is a guest path and absolute, so the last ":/" separates the two.
Result<Grant> parse_grant(std::string_view value) {
  const std::size_t colon = value.rfind(":/");
  const bool has_place = colon != std::string_view::npos && colon >= drive_length(value);
  const std::string_view path = has_place ? value.substr(0, colon) : value;
  if (path.empty())
    return invalid_error("expected a path, found nothing; '.' is the current directory");
  Grant grant;
  if (has_place) {
    BAWN_ASSIGN(grant.at, destination(value.substr(colon + 1)));
  }
  BAWN_ASSIGN(grant.path, absolute_name(path));
  return grant;
}

template <auto Member>
Result<void> add_grant(Policy& policy, std::string_view value) {
  BAWN_ASSIGN(const Grant grant, parse_grant(value));
  std::vector<Grant>& list = policy.filesystem.*Member;
  if (std::ranges::find(list, grant) == list.end()) list.push_back(grant);
  return {};
}

Result<void> set_workspace(Policy& policy, std::string_view value) {
  if (value.empty())
    return invalid_error("expected a directory, found nothing; '.' is the current directory");
  BAWN_ASSIGN(policy.workspace.root, absolute_name(value));
  return {};
}

Result<void> set_cgroup_parent(Policy& policy, std::string_view value) {
  if (value.empty()) return invalid_error("expected the directory of a cgroup, found nothing");
  BAWN_ASSIGN(policy.limits.cgroup_parent, absolute_path(value));
  return {};
}

template <auto Section, auto Member>
Result<void> set_true(Policy& policy, std::string_view /*value*/) {
  (policy.*Section).*Member = true;
  return {};
}

Result<void> set_seccomp_profile(Policy& policy, std::string_view value) {
  if (value.empty())
    return invalid_error("expected default, strict or the file of a profile, found nothing");
  policy.system_calls.profile = value;
  if (value == "default" || value == "strict") return {};
  BAWN_ASSIGN(policy.system_calls.profile, absolute_name(value));
  return {};
}

constexpr Overlay kOverlays[] = {
    {"--workspace", "workspace.root", set_workspace},
    {"--tier", "tier.use", set_tier},
    {"--egress", "egress.mode", set_egress},
    {"--allow-host", "egress.hosts", add_host},
    {"--memory", "limits.memory_bytes", set_limit<parse_size, &Limits::memory_bytes>, size_text},
    {"--cpu", "limits.cpu_time_ms", set_limit<parse_duration_ms, &Limits::cpu_time_ms>,
     duration_text},
    {"--timeout", "limits.wall_time_ms", set_limit<parse_duration_ms, &Limits::wall_time_ms>,
     duration_text},
    {"--pids", "limits.processes", set_limit<parse_count, &Limits::processes>, count_text},
    {"--open-files", "limits.open_files", set_limit<parse_count, &Limits::open_files>, count_text},
    {"--output", "limits.output_bytes", set_limit<parse_size, &Limits::output_bytes>, size_text},
    {"--file-size", "limits.file_bytes", set_limit<parse_size, &Limits::file_bytes>, size_text},
    {"--tmp-size", "limits.tmp_bytes", set_limit<parse_size, &Limits::tmp_bytes>, size_text},
    {"--cpus", "limits.cpu_percent", set_limit<parse_processors, &Limits::cpu_percent>,
     processors_text},
    {"--cgroup-parent", "limits.cgroup_parent", set_cgroup_parent},
    {"--total-memory", "limits.total_memory_bytes",
     set_limit<parse_size, &Limits::total_memory_bytes>, size_text},
    {"--total-pids", "limits.total_processes", set_limit<parse_count, &Limits::total_processes>,
     count_text},
    {"--env", "environment.set", set_variable},
    {"--pass-env", "environment.pass", add_text<&Policy::environment, &EnvironmentPolicy::pass>},
    {"--ro", "filesystem.read", add_grant<&FilesystemPolicy::read>},
    {"--rw", "filesystem.write", add_grant<&FilesystemPolicy::write>},
    {"--hide", "workspace.hide", add_text<&Policy::workspace, &WorkspacePolicy::hide>},
    {"--protect", "workspace.protect", add_text<&Policy::workspace, &WorkspacePolicy::protect>},
    {"--allow-exec", "executables.allow",
     add_text<&Policy::executables, &ExecutablesPolicy::allow>},
    {"--allow-interpreters", "executables.interpreters",
     set_true<&Policy::executables, &ExecutablesPolicy::interpreters>},
    {"--as-root", "identity.as_root", set_true<&Policy::identity, &IdentityPolicy::as_root>},
    {"--id-ranges", "identity.id_ranges", set_true<&Policy::identity, &IdentityPolicy::id_ranges>},
    {"--as-pid-1", "identity.as_pid_1", set_true<&Policy::identity, &IdentityPolicy::as_pid_1>},
    {"--seccomp", "system_calls.profile", set_seccomp_profile},
};

// The key in Origins for what the flag set. For --env and --pass-env it is the entry of that one
// variable, for other flags the whole field.
std::string path_of(const Overlay& overlay, const Policy& policy, std::string_view value) {
  if (overlay.path == "environment.set")
    return json::child_path(overlay.path, value.substr(0, value.find('=')));
  if (overlay.path != "environment.pass") return std::string(overlay.path);
  const std::vector<std::string>& pass = policy.environment.pass;
  return concat(overlay.path, "[", std::ranges::find(pass, value) - pass.begin(), "]");
}

const LimitField* limit_at(std::string_view path) {
  for (const Section& section : policy_sections()) {
    for (const Field& field : section.fields) {
      if (field_path(section, field) == path) return std::get_if<LimitField>(&field.value);
    }
  }
  return nullptr;
}

// check_policy() would find this too, but its message has milliseconds and hundredths, which the
// user did not type.
Result<void> require_range(const Overlay& overlay, Policy& policy, std::string_view value) {
  const LimitField* limit = overlay.spell == nullptr ? nullptr : limit_at(overlay.path);
  if (limit == nullptr) return {};
  const Limit amount = limit->of(policy);
  if (!amount || (*amount >= limit->least && *amount <= limit->most)) return {};
  return invalid_error(concat("expected ", overlay.spell(limit->least), " to ",
                              overlay.spell(limit->most), ", or unlimited, found ", quote(value)));
}

Result<void> apply(SourcedPolicy& sourced, const PolicyFlag& flag, std::string_view origin) {
  for (const Overlay& overlay : kOverlays) {
    if (overlay.flag != flag.name) continue;
    if (auto applied = overlay.apply(sourced.policy, flag.value); !applied)
      return applied.error().within(origin);
    if (auto in_range = require_range(overlay, sourced.policy, flag.value); !in_range)
      return in_range.error().within(origin);
    sourced.origins[path_of(overlay, sourced.policy, flag.value)] = std::string(origin);
    return {};
  }
  return invalid_error(concat("no policy value belongs to ", flag.name));
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

Result<LoadedPolicy> named_preset(const std::string& name, std::string_view origin) {
  if (auto sourced = sourced_preset(name))
    return LoadedPolicy{.sourced = std::move(*sourced), .inputs = {}};
  const std::string_view meant = nearest(name, preset_names());
  return invalid_error(concat(origin, ": ", quote(name), " is not a preset",
                              meant.empty() ? "" : concat(" (did you mean '", meant, "'?)"),
                              "; expected ", one_of(preset_names())));
}

// Mistakes in the text have their own places; only a file that cannot be read needs to be told
// whose it is.
Result<LoadedPolicy> named_policy(const std::string& name, std::string_view origin) {
  auto loaded = read_policy(name);
  if (!loaded) return loaded.error().sys_errno == 0 ? loaded : loaded.error().within(origin);
  for (InputFile& input : loaded.value().inputs) input.origin = origin;
  return loaded;
}

Result<LoadedPolicy> base_policy(const Invocation& invocation, PolicyDefault by_default) {
  if (invocation.policy_file) return named_policy(*invocation.policy_file, "--policy");
  if (invocation.mode) return named_preset(*invocation.mode, "--mode");
  if (by_default == PolicyDefault::none) {
    return invalid_error(
        "no policy is named, and nothing is allowed by default; add --policy PRESET or --policy "
        "FILE");
  }
  const auto file = variable("BAWN_POLICY");
  const auto mode = variable("BAWN_MODE");
  if (file && mode)
    return invalid_error("BAWN_POLICY and BAWN_MODE are both set; unset one of them");
  if (file) return named_policy(*file, "BAWN_POLICY");
  if (mode) return named_preset(*mode, "BAWN_MODE");
  return named_preset("workspace", "default");
}

// The origin of the value at `where`, or else of the list, map or section that contains it; "" if
// none is recorded.
std::string_view origin_of(const SourcedPolicy& sourced, std::string_view where) {
  for (;;) {
    const auto origin = sourced.origins.find(where);
    if (origin != sourced.origins.end()) return origin->second;
    const std::size_t end = where.find_last_of(".[");
    if (end == std::string_view::npos) return "";
    where = where.substr(0, end);
  }
}

// Flags can contradict each other or the policy that they change.
Result<void> require_sense(const SourcedPolicy& sourced) {
  std::string message;
  for (const json::Problem& problem : check_policy(sourced.policy)) {
    const std::string_view origin = origin_of(sourced, problem.where);
    message += concat(message.empty() ? "" : "\n", origin.empty() ? problem.where : origin, ": ",
                      problem.message, problem.hint.empty() ? "" : concat(" (", problem.hint, ")"));
  }
  if (message.empty()) return {};
  return invalid_error(std::move(message));
}

}  // namespace

std::string shown_name(const std::string& path) {
  // Each part is tested alone, because quote() shortens long text and a path may be long.
  const std::vector<std::string_view> parts = split(path, '/');
  const bool is_plain = std::ranges::all_of(
      parts, [](std::string_view part) { return quote(part) == concat("'", part, "'"); });
  return is_plain ? path : quote(path);
}

Result<LoadedPolicy> read_policy_file(const std::string& path) {
  BAWN_ASSIGN(ReadInput read, read_input(path, kMaxPolicyBytes));
  const std::string name = shown_name(path);
  auto parsed = parse_policy(std::move(read.text), name);
  if (auto* sourced = std::get_if<SourcedPolicy>(&parsed)) {
    LoadedPolicy loaded{.sourced = std::move(*sourced), .inputs = {}};
    if (read.file) loaded.inputs.push_back(*std::move(read.file));
    return loaded;
  }
  std::string message;
  for (const json::Problem& problem : std::get<std::vector<json::Problem>>(parsed)) {
    message += concat(message.empty() ? "" : "\n", name, ":", to_string(problem));
  }
  return invalid_error(std::move(message));
}

Result<LoadedPolicy> read_policy(const std::string& name) {
  if (auto sourced = sourced_preset(name))
    return LoadedPolicy{.sourced = std::move(*sourced), .inputs = {}};
  auto from_file = read_policy_file(name);
  const bool is_path = name.find('/') != std::string::npos;
  if (from_file || is_path || from_file.error().sys_errno != ENOENT) return from_file;
  const std::string_view meant = nearest(name, preset_names());
  return from_file.error().within(
      concat("no preset (", one_of(preset_names()),
             meant.empty() ? "" : concat("; did you mean '", meant, "'?"), ") and no file"));
}

Result<std::string> workspace_by_default(const Policy& policy) {
  const bool has_another =
      !policy.workspace.root.empty() || policy.workspace.mode == WorkspaceMode::private_dir;
  return has_another ? Result<std::string>("") : current_name();
}

Result<LoadedPolicy> load_policy(const Invocation& invocation, PolicyDefault by_default) {
  BAWN_ASSIGN(LoadedPolicy loaded, base_policy(invocation, by_default));
  SourcedPolicy& sourced = loaded.sourced;
  if (const auto timeout = variable("BAWN_TIMEOUT");
      timeout && by_default == PolicyDefault::workspace) {
    BAWN_TRY(apply(sourced, {"--timeout", *timeout}, "BAWN_TIMEOUT"));
  }
  for (const PolicyFlag& flag : invocation.policy_flags) BAWN_TRY(apply(sourced, flag, flag.name));
  BAWN_TRY(require_sense(sourced));
  return loaded;
}

}  // namespace bawn::cli
