#include "policy/preset.h"

#include <array>
#include <initializer_list>

namespace bawn {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kSecond = 1000;
constexpr std::uint64_t kMinute = 60 * kSecond;

using Names = std::vector<std::string>;

void add(Names& to, std::initializer_list<const char*> names) {
  to.insert(to.end(), names.begin(), names.end());
}

// Variables that change only the language and format of output.
Names locale_variables() {
  return {"LANG", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "TZ"};
}

Names terminal_variables() {
  Names names = locale_variables();
  add(names, {"COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "TERM"});
  return names;
}

// Limits that are enforced where the host can. Linux without namespaces cannot limit the size of a
// directory, nor the number of root's processes. macOS cannot limit memory. Windows cannot limit
// open files and file sizes.
Names limits_some_hosts_lack() {
  return {"memory_bytes", "processes", "open_files", "file_bytes", "tmp_bytes"};
}

// For a command that a person typed: the workspace, every program, no network, no limits.
Policy workspace_preset() {
  Policy policy;
  policy.tier = {TierChoice::automatic, Tier::c};
  policy.workspace.mode = WorkspaceMode::direct;
  policy.filesystem.tmp = Tmp::private_dir;
  policy.executables.allow_all = true;
  policy.executables.interpreters = true;
  policy.executables.from_workspace = true;
  policy.executables.caller_path = true;
  policy.environment.pass = terminal_variables();
  policy.egress.mode = EgressMode::block_all;
  policy.limits = Limits{};  // all unlimited
  policy.background = {.processes = 16, .lifetime_ms = {}, .output_bytes = kMiB};
  return policy;
}

// For a command that a model chose: no program runs until a policy file names it.
Policy agent_preset() {
  Policy policy;
  policy.tier = {TierChoice::automatic, Tier::b};
  policy.workspace.mode = WorkspaceMode::direct;
  policy.filesystem.tmp = Tmp::private_dir;
  policy.environment.pass = locale_variables();
  policy.egress.mode = EgressMode::strict;
  policy.limits = {.cpu_time_ms = 2 * kSecond,
                   .wall_time_ms = 30 * kSecond,
                   .memory_bytes = 256 * kMiB,
                   .processes = 64,
                   .open_files = 256,
                   .file_bytes = 64 * kMiB,
                   .output_bytes = 64 * kKiB,
                   .tmp_bytes = 64 * kMiB,
                   .optional = limits_some_hosts_lack()};
  policy.background = {.processes = 0, .lifetime_ms = 10 * kMinute, .output_bytes = 64 * kKiB};
  return policy;
}

// The base of the three presets that permit everything except what is known to be dangerous.
Policy blocklist_preset() {
  Policy policy;
  policy.tier = {TierChoice::automatic, Tier::b};
  policy.workspace.mode = WorkspaceMode::direct;
  policy.filesystem.tmp = Tmp::private_dir;
  policy.executables.allow_all = true;
  policy.executables.interpreters = true;
  policy.executables.from_workspace = true;
  policy.executables.block = {"rm",   "rmdir", "mv",    "dd",    "mkfs", "fdisk",
                              "sudo", "su",    "chmod", "chown", "kill", "pkill"};
  policy.arguments.refuse_patterns = {"rm -rf", "> /dev/", "| sh", "| bash", "$(", "`"};
  policy.environment.pass = locale_variables();
  policy.egress.mode = EgressMode::allow_all;
  policy.limits = {.cpu_time_ms = {},
                   .wall_time_ms = 60 * kSecond,
                   .memory_bytes = 512 * kMiB,
                   .processes = 10,
                   .open_files = 256,
                   .file_bytes = 256 * kMiB,
                   .output_bytes = kMiB,
                   .tmp_bytes = 64 * kMiB,
                   .optional = limits_some_hosts_lack()};
  policy.background = {.processes = 0, .lifetime_ms = 10 * kMinute, .output_bytes = kMiB};
  return policy;
}

Policy strict_preset() {
  Policy policy = blocklist_preset();
  policy.workspace.mode = WorkspaceMode::private_dir;
  policy.executables.from_workspace = false;
  add(policy.executables.block, {"curl", "wget", "nc", "netcat", "ssh", "scp"});
  policy.arguments.refuse_paths = {"/etc",  "/var",  "/usr", "/bin", "/sbin",
                                   "/root", "/home", "/sys", "/proc"};
  // Blocking six network clients is useless against an interpreter, so the network is blocked too.
  policy.egress.mode = EgressMode::block_all;
  policy.limits.wall_time_ms = 30 * kSecond;
  policy.limits.memory_bytes = 256 * kMiB;
  policy.limits.processes = 5;
  return policy;
}

Policy network_isolated_preset() {
  Policy policy = blocklist_preset();
  policy.egress.mode = EgressMode::block_all;
  return policy;
}

Policy disabled_preset() {
  Policy policy;
  policy.tier = {TierChoice::unconfined, Tier::unconfined};
  policy.workspace.git_hooks = GitHooksMode::open;
  policy.workspace.handoff = false;
  policy.executables.allow_all = true;
  policy.executables.interpreters = true;
  policy.executables.from_workspace = true;
  policy.environment.pass = terminal_variables();
  add(policy.environment.pass, {"HOME", "LOGNAME", "USER"});
  policy.egress.mode = EgressMode::allow_all;
  policy.limits = Limits{};  // all unlimited
  policy.background = {.processes = 16, .lifetime_ms = {}, .output_bytes = kMiB};
  return policy;
}

struct Preset {
  std::string_view name;
  std::string_view summary;
  Policy (*make)();
};

constexpr std::array kPresets = {
    Preset{"workspace",
           "a command a person typed: every program, the workspace writable, no network, tier c",
           workspace_preset},
    Preset{"agent",
           "deny by default: no programs, no interpreters, no network, 2 s CPU, 256 MiB, 30 s",
           agent_preset},
    Preset{"basic", "dangerous commands blocked, network allowed, 512 MiB, 60 s, 10 processes",
           blocklist_preset},
    Preset{"strict",
           "as basic, and network clients blocked, no network, a private empty directory, system "
           "paths refused, 256 MiB, 30 s, 5 processes",
           strict_preset},
    Preset{"network-isolated", "as basic, without network", network_isolated_preset},
    Preset{"disabled", "no sandbox at all; the outcome says so", disabled_preset},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kPresets.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kPresets[i].name;
  return names;
}();

const Preset* find_preset(std::string_view name) {
  for (const Preset& candidate : kPresets) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

}  // namespace

std::span<const std::string_view> preset_names() { return kNames; }

std::string_view preset_summary(std::string_view name) {
  const Preset* found = find_preset(name);
  return found == nullptr ? "" : found->summary;
}

std::optional<Policy> preset(std::string_view name) {
  const Preset* found = find_preset(name);
  if (found == nullptr) return std::nullopt;
  return found->make();
}

}  // namespace bawn
