#include "policy/text/option.h"

#include <algorithm>

#include "policy/text/field.h"

namespace bawn {
namespace {

constexpr unsigned kForRun = static_cast<unsigned>(Subcommand::run);
constexpr unsigned kForExec = static_cast<unsigned>(Subcommand::exec);
constexpr unsigned kForCheck = static_cast<unsigned>(Subcommand::check);
constexpr unsigned kForExplain = static_cast<unsigned>(Subcommand::explain);
constexpr unsigned kForPolicy = static_cast<unsigned>(Subcommand::policy);
constexpr unsigned kForBench = static_cast<unsigned>(Subcommand::bench);
constexpr unsigned kForDoctor = static_cast<unsigned>(Subcommand::doctor);
constexpr unsigned kForPlans =
    kForRun | kForExec | kForCheck | kForExplain;  // all that load a policy

constexpr std::string_view kSandboxGroup = "Policy and sandbox";
constexpr std::string_view kFilesGroup = "Files";
constexpr std::string_view kProgramsGroup = "Programs";
constexpr std::string_view kNetworkGroup = "Network";
constexpr std::string_view kVariablesGroup = "Variables";
constexpr std::string_view kIdentityGroup = "Identity";
constexpr std::string_view kLimitsGroup = "Limits";
constexpr std::string_view kMeasurementGroup = "Measurement";
constexpr std::string_view kInOutGroup = "Input and output";

constexpr CliOption kOptions[] = {
    {"--policy", "PRESET|FILE", kForPlans, kSandboxGroup,
     "the policy to enforce; 'bawn policy' lists the presets, and ./NAME is always a file",
     Setting::policy},
    {"--mode", "PRESET", kForPlans, kSandboxGroup, "the same as --policy, for a preset only",
     Setting::mode},
    {"--tier", "TIER", kForPlans, kSandboxGroup,
     "how strong the sandbox is: auto, process (or b), namespaces (or c)", "tier.use"},
    {"--seccomp", "PROFILE", kForPlans, kSandboxGroup,
     "the seccomp profile: default, strict or a file", "system_calls.profile"},

    {"--workspace", "DIR", kForPlans, kFilesGroup,
     "the directory the command works in and may write to", "workspace.root"},
    {"--ro", "PATH[:AT]", kForPlans, kFilesGroup, "let the command read PATH, and see it at AT",
     "filesystem.read"},
    {"--rw", "PATH[:AT]", kForPlans, kFilesGroup,
     "let the command read and write PATH, and see it at AT", "filesystem.write"},
    {"--hide", "PATH", kForPlans, kFilesGroup, "hide a path of the workspace", "workspace.hide"},
    {"--protect", "PATH", kForPlans, kFilesGroup,
     "make a path of the workspace read-only; if it is missing, report if the command makes it",
     "workspace.protect"},
    {"--git-hooks", "HOOKS", kForPlans, kFilesGroup,
     "the hooks of git repositories: protected (the default) or open, which lets the command write "
     "them",
     "workspace.git_hooks"},

    {"--allow-exec", "NAME", kForPlans, kProgramsGroup,
     "a program it may run, if the policy lists programs", "executables.allow"},
    {"--allow-interpreters", "", kForPlans, kProgramsGroup,
     "let it run shells and other interpreters", "executables.interpreters"},

    {"--egress", "MODE", kForPlans, kNetworkGroup,
     "allow_all; preflight (checks hosts among the arguments, and the network is open); strict or "
     "block_all (no network)",
     "egress.mode"},
    {"--allow-host", "HOST[:PORT]", kForPlans, kNetworkGroup,
     "a host the command may connect to; needs --egress preflight", "egress.hosts"},

    {"--env", "KEY=VALUE", kForPlans, kVariablesGroup, "set a variable for the command",
     "environment.set"},
    {"--pass-env", "KEY", kForPlans, kVariablesGroup, "pass on a variable of your environment",
     "environment.pass"},

    {"--as-root", "", kForPlans, kIdentityGroup,
     "let the command see itself as root; it has no capability either way", "identity.as_root"},
    {"--id-ranges", "", kForPlans, kIdentityGroup,
     "map the ids of /etc/subuid and /etc/subgid into the run", "identity.id_ranges"},
    {"--as-pid-1", "", kForPlans, kIdentityGroup,
     "make the command process 1, as init systems need", "identity.as_pid_1"},

    {"--memory", "SIZE", kForPlans, kLimitsGroup, "memory of the run, such as 256M",
     "limits.memory_bytes"},
    {"--cpu", "TIME", kForPlans, kLimitsGroup, "CPU time of all its processes, such as 2s",
     "limits.cpu_time_ms"},
    {"--timeout", "TIME", kForPlans, kLimitsGroup, "wall time, such as 30s", "limits.wall_time_ms"},
    {"--pids", "COUNT", kForPlans, kLimitsGroup, "processes and threads at one time",
     "limits.processes"},
    {"--open-files", "COUNT", kForPlans, kLimitsGroup, "open files of each process",
     "limits.open_files"},
    {"--output", "SIZE", kForPlans, kLimitsGroup, "stdout and stderr together",
     "limits.output_bytes"},
    {"--file-size", "SIZE", kForPlans, kLimitsGroup, "the largest file it may write",
     "limits.file_bytes"},
    {"--tmp-size", "SIZE", kForPlans, kLimitsGroup, "size of its private temporary directory",
     "limits.tmp_bytes"},
    {"--cpus", "NUMBER", kForPlans, kLimitsGroup, "processors it may use at one time, such as 1.5",
     "limits.cpu_percent"},
    {"--cgroup-parent", "DIR", kForPlans, kLimitsGroup,
     "make the run's cgroup below DIR; run nothing if that fails", "limits.cgroup_parent"},
    {"--total-memory", "SIZE", kForPlans, kLimitsGroup, "memory of all runs below --cgroup-parent",
     "limits.total_memory_bytes"},
    {"--total-pids", "COUNT", kForPlans, kLimitsGroup,
     "processes of all runs below --cgroup-parent", "limits.total_processes"},

    {"--runs", "COUNT", kForBench, kMeasurementGroup, "rounds; 200 by default", Setting::runs},
    {"--parallel", "LIST", kForBench, kMeasurementGroup,
     "runs at a time, for the throughput; 1,2,8 by default", Setting::parallel},
    {"--tier", "TIER", kForBench, kMeasurementGroup,
     "process (or b) or namespaces (or c); by default namespaces where that works",
     Setting::bench_tier},
    {"--command", "PATH", kForBench, kMeasurementGroup,
     "the program to start; /bin/true by default", Setting::bench_command},

    {"--request", "FILE", kForCheck | kForExplain, kInOutGroup, "the request as JSON; '-' is stdin",
     Setting::request},
    {"--json", "", kForRun | kForCheck, kInOutGroup, "print the whole outcome as JSON",
     Setting::json},
    {"--json", "", kForExplain, kInOutGroup, "print the plan as JSON", Setting::json},
    {"--json", "", kForBench, kInOutGroup, "print the figures as JSON", Setting::json},
    {"--json", "", kForDoctor, kInOutGroup, "print the findings as JSON", Setting::json},
    {"--svg", "FILE", kForBench, kInOutGroup, "draw the figures as a bar chart", Setting::svg},
    {"--timing", "", kForRun | kForExec, kInOutGroup, "print how long each step took",
     Setting::timing},
    {"--receipt", "", kForRun, kInOutGroup, "print what was in force, layer by layer, on stderr",
     Setting::receipt},
    {"--status-fd", "N", kForRun, kInOutGroup, "write the outcome as JSON to file descriptor N",
     Setting::status_fd},
    {"--log-level", "LEVEL", kForRun | kForExec, kInOutGroup,
     "what to log to stderr: debug, info, warn, error or off", Setting::log_level},
    {"--help", "", kForPlans | kForPolicy | kForBench | kForDoctor, kInOutGroup,
     "this text; also -h", Setting::help},
};

bool is_collection(const FieldValue& value) {
  return std::holds_alternative<ListField>(value) || std::holds_alternative<GrantsField>(value) ||
         std::holds_alternative<MapField>(value) || std::holds_alternative<HostsField>(value) ||
         std::holds_alternative<AllowField>(value);
}

}  // namespace

PolicyKey CliOption::key() const {
  const auto* key = std::get_if<PolicyKey>(&sets);
  return key == nullptr ? PolicyKey() : *key;
}

bool CliOption::repeats() const {
  const Field* field = find_field(key());
  return argument.empty() || (field != nullptr && is_collection(field->value));
}

std::span<const CliOption> command_line_options() { return kOptions; }

const CliOption* option_for(PolicyKey key) {
  const auto* found = std::ranges::find(kOptions, decltype(CliOption::sets)(key), &CliOption::sets);
  return found == std::end(kOptions) ? nullptr : found;
}

}  // namespace bawn
