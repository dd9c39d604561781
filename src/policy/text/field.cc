#include "policy/text/field.h"

#include <algorithm>

#include "base/text.h"

namespace bawn {
namespace {

// A time of more than a year, or a size that a double cannot represent exactly, is a typing
// mistake. "unlimited" expresses the intention.
constexpr std::uint64_t kYearMs = 366ULL * 24 * 60 * 60 * 1000;
constexpr std::uint64_t kMostBytes = (1ULL << 53) - 1;
constexpr std::uint64_t kLeastMemory = 1024 * 1024;
// The files and directories of the new root are on the same tmpfs and need about 30 KiB with 4 KiB
// pages.
constexpr std::uint64_t kLeastTmp = 128 * 1024;

constexpr Field kTier[] = {
    {"use",
     "The tier to run in: auto is the strongest that the host can enforce; b or process; c or "
     "namespaces; unconfined is no sandbox.",
     ChoiceField<TierChoice>{[](Policy& p) -> TierChoice& { return p.tier.use; }}},
    {"floor",
     "The weakest tier that is acceptable (b or process, c or namespaces, unconfined); on a host "
     "that cannot enforce it nothing runs.",
     ChoiceField<Tier>{[](Policy& p) -> Tier& { return p.tier.floor; }}},
};

constexpr Field kWorkspace[] = {
    {"root", "The workspace directory; if absent the caller names it.",
     TextField{[](Policy& p) -> std::string& { return p.workspace.root; }, &kAbsolutePath}},
    {"mode",
     "direct: writable; read_only: readable; private: a fresh empty directory, gone after the run.",
     ChoiceField<WorkspaceMode>{[](Policy& p) -> WorkspaceMode& { return p.workspace.mode; }}},
    {"hide", "Paths in the workspace that the command must not see, relative to root or absolute.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.workspace.hide; },
               &kWorkspacePath}},
    {"protect", "Paths in the workspace that the command must not create or change.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.workspace.protect; },
               &kWorkspacePath}},
    {"git_hooks",
     "protected: the hooks of git repositories in writable places are read-only, where the tier "
     "can "
     "do that; open: they are writable.",
     ChoiceField<GitHooksMode>{[](Policy& p) -> GitHooksMode& { return p.workspace.git_hooks; }}},
    {"handoff",
     "Whether the outcome lists files that the command has written and that other programs obey.",
     FlagField{[](Policy& p) -> bool& { return p.workspace.handoff; }}},
};

constexpr Field kFilesystem[] = {
    {"read",
     "Paths beside the workspace that may be read. As an object a grant says where the run sees "
     "the path, which needs tier c on Linux, and with \"exec\": true that its programs may run "
     "where "
     "executables.allow is a list.",
     GrantsField{[](Policy& p) -> std::vector<Grant>& { return p.filesystem.read; }}},
    {"write", "Paths beside the workspace that may be read and written.",
     GrantsField{[](Policy& p) -> std::vector<Grant>& { return p.filesystem.write; }}},
    {"tmp", "private: a temporary directory of its own, gone after the run.",
     ChoiceField<Tmp>{[](Policy& p) -> Tmp& { return p.filesystem.tmp; }}},
};

constexpr Field kExecutables[] = {
    {"allow",
     "The programs that may run: \"all\", or names and absolute paths. An empty list allows none.",
     AllowField{[](Policy& p) -> ExecutablesPolicy& { return p.executables; }}},
    {"block", "Programs that may not run even if they are allowed.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.executables.block; },
               &kProgram}},
    {"interpreters",
     "Whether programs may run that execute code given to them, such as sh or python3.",
     FlagField{[](Policy& p) -> bool& { return p.executables.interpreters; }}},
    {"from_workspace", "Whether programs may run that lie where the command can write.",
     FlagField{[](Policy& p) -> bool& { return p.executables.from_workspace; }}},
    {"caller_path",
     "Whether programs are looked for on the caller's PATH too; its directories, and the tools "
     "below the home that they belong to, can then be read. Tier c.",
     FlagField{[](Policy& p) -> bool& { return p.executables.caller_path; }}},
    {"sha256", "Programs that may only run with exactly this content: name or path, and digest.",
     MapField{[](Policy& p) -> std::map<std::string, std::string>& { return p.executables.sha256; },
              &kProgram, &kSha256}},
};

constexpr Field kArguments[] = {
    {"refuse_paths", "No argument may name these paths or anything below them.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.arguments.refuse_paths; },
               &kAbsolutePath}},
    {"refuse_patterns", "Literal texts that are refused wherever a string would reach a shell.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.arguments.refuse_patterns; },
               &kShellPattern}},
};

constexpr Field kEnvironment[] = {
    {"pass", "Variables copied from the caller's environment.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.environment.pass; },
               &kEnvironmentName}},
    {"set",
     "Variables with these values; they win over `pass`. PATH, BAWN, BAWN_RUN_ID and "
     "SANDBOX_RUNTIME are bawn's own.",
     MapField{[](Policy& p) -> std::map<std::string, std::string>& { return p.environment.set; },
              &kEnvironmentName, &kEnvironmentValue}},
};

constexpr Field kIdentity[] = {
    {"as_root", "Whether the command sees itself as root. It has no capability either way. Tier c.",
     FlagField{[](Policy& p) -> bool& { return p.identity.as_root; }}},
    {"uid",
     "The user id that the command has on the host: a number, or \"caller\"; for root that is an "
     "id "
     "that owns nothing (first_host_id). Any other than the caller's needs root. Tier c.",
     IdField{[](Policy& p) -> std::optional<std::uint64_t>& { return p.identity.uid; }}},
    {"gid", "The group id that the command has on the host; as for uid.",
     IdField{[](Policy& p) -> std::optional<std::uint64_t>& { return p.identity.gid; }}},
    {"first_host_id",
     "The first of the host ids of which a run that root starts gets one, as user and as group. "
     "None of them may belong to anybody. Tier c on Linux.",
     CountField{[](Policy& p) -> std::uint64_t& { return p.identity.first_host_id; }, 1, kMostId}},
    {"host_id_count", "How many such host ids there are.",
     CountField{[](Policy& p) -> std::uint64_t& { return p.identity.host_id_count; }, 1, kMostId}},
    {"id_ranges",
     "Whether the ids that /etc/subuid and /etc/subgid give to the caller exist inside, too, so "
     "that files of containers show their owners. The command cannot become any of them. Tier c.",
     FlagField{[](Policy& p) -> bool& { return p.identity.id_ranges; }}},
    {"as_pid_1",
     "Whether the command is process 1 of the pid namespace it sees, as an init system insists on. "
     "Signals it has no handler for do not reach it then. Tier c on Linux.",
     FlagField{[](Policy& p) -> bool& { return p.identity.as_pid_1; }}},
};

constexpr Field kSystemCalls[] = {
    {"profile",
     "Which system calls it may make: \"default\", \"strict\", or the path of a profile. Tier c.",
     TextField{[](Policy& p) -> std::string& { return p.system_calls.profile; }, &kSeccompProfile}},
};

constexpr Field kMacos[] = {
    {"loopback",
     "Whether a command without network may still use the loopback addresses, which it then shares "
     "with every other program of the machine.",
     FlagField{[](Policy& p) -> bool& { return p.macos.loopback; }}},
    {"trust_service",
     "Whether it may have certificates checked by the system (trustd), as programs written in Go "
     "do for TLS. The service itself may use the network.",
     FlagField{[](Policy& p) -> bool& { return p.macos.trust_service; }}},
};

constexpr Field kEgress[] = {
    {"mode",
     "allow_all: no restriction; preflight: hosts named in the request must be among those below, "
     "and the network is open; block_all: no network; strict: the same, and reserved for hosts "
     "below, with which this version refuses it.",
     ChoiceField<EgressMode>{[](Policy& p) -> EgressMode& { return p.egress.mode; }}},
    {"hosts", "Hosts that a request may name with mode preflight, each with an optional port.",
     HostsField{[](Policy& p) -> std::vector<EgressHost>& { return p.egress.hosts; }}},
    {"dns_suffixes", "Domains that it may name: the name itself and everything below it.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.egress.dns_suffixes; },
               &kDnsSuffix}},
};

constexpr Field kLimits[] = {
    {"cpu_time_ms", "CPU time of the whole process tree.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.cpu_time_ms; }, Amount::milliseconds, 10,
                kYearMs}},
    {"wall_time_ms", "Time from start to end.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.wall_time_ms; }, Amount::milliseconds, 10,
                kYearMs}},
    {"memory_bytes", "Memory of the run.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.memory_bytes; }, Amount::bytes,
                kLeastMemory, kMostBytes}},
    {"processes", "Processes and threads at one time.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.processes; }, Amount::count, 1,
                1U << 22}},
    // Three are for stdio. With fewer than eight, the dynamic loader fails.
    {"open_files", "Open files of each process.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.open_files; }, Amount::count, 8,
                1U << 20}},
    {"file_bytes", "Size of the largest file that may be written; 0 forbids writing.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.file_bytes; }, Amount::bytes, 0,
                kMostBytes}},
    {"output_bytes", "stdout and stderr together.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.output_bytes; }, Amount::bytes, 1,
                kMostBytes}},
    {"tmp_bytes", "Size of the private temporary directory.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.tmp_bytes; }, Amount::bytes, kLeastTmp,
                kMostBytes}},
    {"cpu_percent",
     "Processors that all its processes together may use at one time, in hundredths: 150 is one "
     "and a half. Needs a cgroup.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.cpu_percent; }, Amount::processors, 1,
                1U << 20}},
    {"cgroup_parent",
     "The cgroup below which the run's own is made; if it cannot be used, nothing runs. If absent, "
     "one is looked for and the run can do without.",
     TextField{[](Policy& p) -> std::string& { return p.limits.cgroup_parent; }, &kAbsolutePath}},
    {"total_memory_bytes", "Memory of all runs below cgroup_parent together.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.total_memory_bytes; }, Amount::bytes,
                kLeastMemory, kMostBytes}},
    {"total_processes", "Processes and threads of all runs below cgroup_parent together.",
     LimitField{[](Policy& p) -> Limit& { return p.limits.total_processes; }, Amount::count, 1,
                1U << 22}},
    {"optional",
     "Limits that a run may go without where the host cannot enforce them: memory_bytes, "
     "processes, open_files, file_bytes, tmp_bytes, cpu_percent. The receipt says so.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.limits.optional; },
               &kOptionalLimit}},
};

constexpr Field kBackground[] = {
    {"processes", "Background runs at one time; 0 forbids them.",
     CountField{[](Policy& p) -> std::uint64_t& { return p.background.processes; }, 0, 1024}},
    {"lifetime_ms", "How long a background run may live.",
     LimitField{[](Policy& p) -> Limit& { return p.background.lifetime_ms; }, Amount::milliseconds,
                0, kYearMs}},
    {"output_bytes", "How much output of each background run is kept.",
     LimitField{[](Policy& p) -> Limit& { return p.background.output_bytes; }, Amount::bytes, 0,
                kMostBytes}},
};

constexpr Field kRedaction[] = {
    {"enabled", "Whether secrets are removed from what is captured.",
     FlagField{[](Policy& p) -> bool& { return p.redaction.enabled; }}},
    {"secrets",
     "Literal texts to remove besides known shapes; from 12 bytes on also in base64 and hex.",
     ListField{[](Policy& p) -> std::vector<std::string>& { return p.redaction.secrets; },
               &kSecret}},
};

constexpr Section kSections[] = {
    {"tier", "How strong the boundary must be.", kTier},
    {"workspace", "The directory the command works in.", kWorkspace},
    {"filesystem", "What else of the file system it may use.", kFilesystem},
    {"executables", "Which programs may run.", kExecutables},
    {"arguments", "What no argument may say.", kArguments},
    {"environment", "The variables the command sees; there are no others.", kEnvironment},
    {"identity", "Who the command is.", kIdentity},
    {"system_calls", "What it may ask of the kernel.", kSystemCalls},
    {"egress", "Where it may connect to.", kEgress},
    {"macos", "What its sandbox profile opens on macOS; other systems have no need of it.", kMacos},
    {"limits", "What it may use up; each a whole number or \"unlimited\".", kLimits},
    {"background", "Runs that outlive the request that started them.", kBackground},
    {"redaction", "What is removed from captured output.", kRedaction},
};

}  // namespace

std::span<const Section> policy_sections() { return kSections; }

const Field* find_field(std::string_view path) {
  const std::size_t point = std::min(path.find('.'), path.size());
  for (const Section& section : kSections) {
    if (section.key != path.substr(0, point)) continue;
    for (const Field& field : section.fields) {
      if (point < path.size() && field.key == path.substr(point + 1)) return &field;
    }
  }
  return nullptr;
}

std::string field_path(const Section& section, const Field& field) {
  return concat(section.key, ".", field.key);
}

}  // namespace bawn
