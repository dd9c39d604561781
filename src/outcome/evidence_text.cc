#include "outcome/evidence_text.h"

#include <array>

#include "base/text.h"

namespace bawn {
namespace {

struct Phrase {
  std::string_view layer;  // "" means every layer; "limit." means every layer that begins so
  std::string_view field;  // "" means every field of the layer
  std::string_view value;  // as value_text() writes it; "" means every value
  std::string_view text;   // with its separator in front. {} is the value, {name} the field's name.
};

// The first row that fits is taken, so a row for one value stands before the row for all values.
constexpr auto kPhrases = std::to_array<Phrase>({
    {"user", "reason", "", "; no host id of the run's own: {}"},
    {"", "reason", "", "; {}"},

    {"process_tree", "init", "pid_1", "init is pid 1"},
    {"process_tree", "init", "subreaper", "init is a subreaper"},
    {"process_tree", "nested_pid_namespace", "false", " of the run's pid namespace"},
    {"process_tree", "nested_pid_namespace", "true",
     " of a pid namespace around the command's own"},
    {"process_tree", "init_capabilities", "false", ", without capabilities"},
    {"process_tree", "init_seccomp", "true", " and under a seccomp filter of its own"},
    {"process_tree", "pr_get_child_subreaper", "", ": PR_GET_CHILD_SUBREAPER={}"},
    {"process_tree", "pr_get_dumpable", "", "; PR_GET_DUMPABLE={}"},
    {"process_tree", "made_by", "clone3", "; clone3 made the command's process"},
    {"process_tree", "made_by", "clone",
     "; clone made the command's process, after clone3 was refused"},
    {"process_tree", "best_effort", "true", "best effort"},
    {"process_tree", "processes_seen", "", "; at most {} processes were seen at one time"},
    {"process_tree", "tree_gone", "true",
     "; the session, the process group and every descendant that was seen were ended; a process "
     "that left all three unseen is not found"},
    {"process_tree", "tree_gone", "false",
     "; some of the processes that were found were still alive when the outcome was due"},
    {"process_tree", "in_job", "true", "IsProcessInJob before it ran"},
    {"process_tree", "end_on_close", "queried",
     "; QueryInformationJobObject: KILL_ON_JOB_CLOSE, and no breakaway"},
    {"process_tree", "end_on_close", "tried",
     "; tried: a process ended when its job was closed; the system does not tell a job's limits"},

    {"session", "own", "true", ""},
    {"session", "own", "false", "not its own"},
    {"session", "leader", "command", "setsid: session id is the command's pid"},
    {"session", "leader", "init",
     "getsid: init leads it; the command has a process group of its own"},

    {"open_files", "closed_from", "", "close_range from {} on succeeded"},
    {"open_files", "by", "PROC_THREAD_ATTRIBUTE_HANDLE_LIST", "{}"},
    {"open_files", "inherited", "", "; nothing is open but {}"},

    {"stdio", "", "callers", "; {name}: the caller's own"},
    {"stdio", "", "writable",
     "; {name}: the caller's own, of a file that the command may write to"},
    {"stdio", "", "terminal", "; {name}: the private terminal"},
    {"stdio", "", "captured", "; {name}: a pipe into the outcome"},
    {"stdio", "", "relayed", "; {name}: a pipe of bawn's own, not seekable"},
    {"stdio", "", "with_stdout", "; {name}: the same pipe as stdout"},
    {"stdio", "", "reopened", "; {name}: opened anew"},
    {"stdio", "", "device", "; {name}: the device of the run's own root"},
    {"stdio", "", "host_file", "; {name}: opened anew through a read-only mount"},
    {"stdio", "", "text", "; {name}: the request's text"},
    {"stdio", "", "piped", "; {name}: a pipe that the caller fills"},
    {"stdio", "", "empty", "; {name}: empty"},

    {"keyring", "serial", "", "session keyring {}"},
    {"keyring", "errno", "", "keyctl is refused: {}"},

    {"terminal", "given", "none", "the command is not given one"},
    {"terminal", "given", "callers", "the command has the caller's own terminal"},
    {"terminal", "given", "own", "a pty"},
    {"terminal", "devpts", "run", " of the run's own devpts"},
    {"terminal", "devpts", "host", " of the host's devpts, which no other process has"},
    {"terminal", "controlling", "true", "; TIOCGSID: it is its session's controlling terminal"},
    {"terminal", "controlling", "false", "; it is not its session's controlling terminal"},

    {"no_new_privs", "pr_get_no_new_privs", "", "PR_GET_NO_NEW_PRIVS={}"},
    {"capabilities", "capget", "0", "capget: all sets empty"},
    {"capabilities", "capget", "", "capget: the sets together are {}"},
    {"capabilities", "bounding", "0", "; bounding set empty"},
    {"capabilities", "bounding", "", "; bounding set {} kept, no_new_privs makes it useless"},

    {"namespace.", "read_back", "false", "clone made it; there is no /proc to read it back from"},
    {"namespace.", "inode", "", "inode {}"},
    {"namespace.", "shared", "true", ", which is the caller's"},
    {"namespace.", "callers_inode", "", ", the caller's is {}"},
    {"namespace.pid", "command_is_pid_1", "true", "; getpid: the command is its process 1"},
    {"namespace.pid", "command_is_pid_1", "false", ""},

    {"user", "uid", "", "uid {}"},
    {"user", "gid", "", " and gid {} inside"},
    {"user", "host_uid", "", " are {}"},
    {"user", "host_gid", "", " and {} on the host"},
    {"user", "groups", "0", ", in no other group"},
    {"user", "groups", "1", ", in 1 more group of the caller, which only root can leave"},
    {"user", "groups", "", ", in {} more groups of the caller, which only root can leave"},
    {"user", "host_ids", "range", ", which own nothing there"},
    {"user", "host_ids", "workspace_owner", ", the owner of the workspace"},
    {"user", "idmapped_mounts", "1", "; 1 idmapped mount, whose files are its own"},
    {"user", "idmapped_mounts", "", "; {} idmapped mounts, whose files are its own"},
    {"id_ranges", "uid_map", "", "uid_map, read back: {}"},
    {"id_ranges", "gid_map", "", "; gid_map: {}"},

    {"root", "statfs_flags", "", "pivot_root; statfs('/') flags {}"},
    {"root", "read_only", "true", ": read-only"},
    {"root", "read_only", "false", ": writable"},
    {"root", "mounts_read_back", "", "; {} mounts with their flags read back"},
    {"proc", "fresh", "true", "a new one for the pid namespace"},
    {"proc", "fresh", "false", "none: the kernel refuses a new one here"},
    {"proc", "read_only", "true", ", read-only"},
    {"proc", "errno", "", ": {}"},

    {"landlock", "abi", "0", "the kernel has no Landlock"},
    {"landlock", "abi", "", "ABI {}"},
    {"landlock", "grants", "", ", {} grants"},
    {"landlock", "root_granted", "true", "; the policy grants '/'"},
    {"landlock", "probe", "open", "; open of '/'"},
    {"landlock", "probe", "mknod", "; mknod of a device"},
    {"landlock", "errno", "", " gives {}"},
    {"landlock.", "needs_abi", "", "; needs Landlock ABI {}"},

    {"system_calls", "pr_get_seccomp", "", "PR_GET_SECCOMP={}"},
    {"system_calls", "filter", "", ", filter {}"},
    {"system_calls", "instructions", "", " of {} instructions"},
    {"system_calls", "hash", "", ", {}"},
    {"set_id_files", "refused", "S_ISUID",
     "the filter refuses every mode with S_ISUID; it allows S_ISGID, which git and tar need and "
     "which gives a group that the user already has"},
    {"set_id_files", "refused", "S_ISUID, S_ISGID",
     "the filter refuses every mode with S_ISUID or S_ISGID"},

    {"executables", "files", "1", "1 file can be executed"},
    {"executables", "files", "", "{} files can be executed"},
    {"executables", "directories", "1", ", and those in 1 directory"},
    {"executables", "directories", "", ", and those in {} directories"},
    {"executables", "probe", "", "; a check of '{}'"},
    {"executables", "errno", "EINVAL", " needs a newer kernel"},
    {"executables", "errno", "", " gives {}"},
    {"executables", "escapes", "", "; {}"},
    {"executables.mapping", "noexec_mounts", "", "{} mounts are noexec, read back"},
    {"executables.mapping", "library_directories", "",
     "; files in {} library directories can be mapped"},
    {"executables.mapping", "escapes", "", "; {}"},
    {"executables.memory", "memfd_create", "", "memfd_create gives {}"},

    {"unix_sockets", "by", "seccomp", "the filter refuses every AF_UNIX socket"},
    {"unix_sockets", "by", "profile", "the profile refuses them"},
    {"unix_sockets", "allowed", "socketpair", " but pairs"},
    {"unix_sockets", "allowed", "writable_paths", " but where the command may write"},
    {"network", "isolated", "false", "the command's network is not isolated"},
    {"network", "isolated", "true", ""},
    {"network", "by", "namespace", "a network namespace"},
    {"network", "by", "seccomp", "the filter refuses every socket that leads out of the run"},
    {"network", "by", "profile", "the profile refuses every address"},
    {"network", "reachable", "own_loopback", " with a loopback and nothing else"},
    {"network", "reachable", "host_loopback", " but the machine's own loopback"},
    {"network", "reachable", "nothing", ""},

    {"git_hooks", "read_only", "", "read-only: {}"},
    {"git_hooks", "watched", "", "; not there, and looked for after the run: {}"},
    {"git_hooks", "writable", "", "; the command can write {}"},

    {"profile", "entered_by", "sandbox-exec",
     "sandbox-exec executed the command, which it does only after it has entered the sandbox"},
    {"profile", "parameters", "", "; {} parameters"},
    {"profile", "rule_bytes", "", ", {} bytes of rules"},
    {"files", "grants", "", "{} grants"},
    {"files", "protected", "", ", {} protected"},
    {"files", "hidden", "", ", {} hidden"},
    {"services", "allowed", "users_and_groups", "none but names of users and groups"},
    {"services", "allowed", "users_and_groups, trustd",
     "none but names of users and groups, and trustd"},

    {"privileges", "count", "", "the process's token has {} privileges"},
    {"administrators", "enabled", "true",
     "the administrators' group is enabled in the process's token"},
    {"administrators", "enabled", "false",
     "the administrators' group is not enabled in the process's token"},
    {"integrity", "level", "", "the process's integrity is {}"},
    {"integrity", "requested", "callers", ", the caller's: its workspace is the user's own"},
    {"integrity", "requested", "low", ""},
    {"windows_of_the_user", "ui_restrictions", "null",
     "this system does not tell a job's restrictions"},
    {"windows_of_the_user", "ui_restrictions", "", "UI restrictions {}"},
    {"crash_dialog", "limit_flags", "", "limit flags {}"},
    {"priority", "priority_class", "", "priority class {}"},
    {"private_directory", "for_user_alone", "true", "made for the user alone"},
    {"private_directory", "removed_by", "bawn", "; bawn removes it, so it stays if bawn is killed"},

    {"limit.", "unlimited", "true", "unlimited"},
    {"limit.", "escapes", "", "; {}"},
    {"limit.wall_time", "timer_ms", "", "timer of {} ms"},
    {"limit.output", "supervisor_bytes", "", "counted by the supervisor, {} bytes"},
    {"limit.tmp", "tmpfs_bytes", "", "tmpfs of {} bytes"},
    {"limit.cpu_time", "counted", "tree", "the whole tree"},
    {"limit.cpu_time", "counted", "alive_or_waited_for",
     "processes that are alive or were waited for"},
    {"limit.cpu_time", "counted", "waited_for", "processes that were waited for"},
    {"limit.cpu_time", "counted", "found", "all that was found of the tree"},
    {"limit.cpu_time", "counted_by", "cgroup", ", by cpu.stat of its cgroup"},
    {"limit.cpu_time", "counted_by", "init", ", measured by init"},
    {"limit.cpu_time", "counted_by", "supervisor", ", by looking"},
    {"limit.cpu_time", "counted_by", "job", "; its accounts are read as well"},
    {"limit.cpu_time", "rlimit", "RLIMIT_CPU", "; backstop {}"},
    {"limit.cpu_time", "value", "null", " not read back"},
    {"limit.cpu_time", "value", "", "={} s per process"},
    {"limit.", "rlimit", "RLIMIT_DATA", "{}, private writable memory"},
    {"limit.", "rlimit", "", "{}"},
    {"limit.", "file", "", "{}"},
    {"limit.", "value", "null", ": not read back"},
    {"limit.", "value", "", ": {}"},
    {"limit.", "other_tasks", "", ", of which {} were taken by the user's other tasks"},
    {"limit.", "swap_bounded", "true", " with swap"},
    {"limit.", "swap_bounded", "false", " without swap, which the kernel does not count"},
    {"limit.cpu_percent", "quota_us", "", ": {}"},
    {"limit.cpu_percent", "period_us", "", " of {} us"},
    {"limit.", "directory", "", " in '{}'"},
    {"limit.", "scope", "tree", ", the whole tree"},
    {"limit.", "scope", "all_runs", ", all runs below it"},
    {"limit.memory", "oom_kill", "null", "; oom_kill not counted"},
    {"limit.memory", "oom_kill", "", "; oom_kill {}"},
    {"limit.processes", "refused", "null", "; refused not counted"},
    {"limit.processes", "refused", "", "; refused {}"},
    {"limit.", "first_process_bound", "true", ""},
    {"limit.", "first_process_bound", "false",
     "; the first process of each run enters even if the budget is used up"},
    {"limit.", "at_end", "null", "; at the end no limit could be read"},
    {"limit.", "at_end", "", "; {} at the end"},
    {"limit.", "changed", "true", ": another process changed it"},
    {"limit.", "changed", "false", ""},
    {"limit.cpu_time", "job_ms", "", "the job says {} ms"},
    {"limit.memory", "job_bytes", "", "the job says {} bytes for all processes"},
    {"limit.memory", "process_bytes", "", ", {} for each"},
    {"limit.processes", "job_processes", "", "the job says {}"},

    {"cgroup", "version", "", "v{}"},
    {"cgroup", "cloned_into", "true", ", the command was cloned into it"},
    {"cgroup", "cloned_into", "false", ", the command entered it"},
    {"cgroup", "alone_in", "1", " and found itself alone in 1 cgroup.procs"},
    {"cgroup", "alone_in", "", " and found itself alone in {} files cgroup.procs"},
});

template <class Items, class Write>
std::string joined(const Items& items, const Write& write) {
  std::string out;
  for (const auto& item : items) out += concat(out.empty() ? "" : ", ", write(item));
  return out;
}

struct ValueText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(std::uint64_t number) const { return std::to_string(number); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<std::string>& words) const {
    return joined(words, [](const std::string& word) { return word; });
  }
  std::string operator()(const std::vector<IdMapRow>& map) const {
    return joined(map,
                  [](const IdMapRow& row) { return concat(row[0], " ", row[1], " ", row[2]); });
  }
};

std::string value_text(const EvidenceValue& value) { return std::visit(ValueText{}, value); }

bool is_about(const Phrase& phrase, std::string_view layer) {
  return phrase.layer.empty() || phrase.layer.ends_with('.') ? layer.starts_with(phrase.layer)
                                                             : layer == phrase.layer;
}

std::string filled(std::string_view text, std::string_view placeholder, std::string_view with) {
  const std::size_t at = text.find(placeholder);
  if (at == std::string_view::npos) return std::string(text);
  return concat(text.substr(0, at), with, text.substr(at + placeholder.size()));
}

}  // namespace

std::optional<std::string> field_text(std::string_view layer, const EvidenceField& field) {
  const std::string value = value_text(field.value);
  for (const Phrase& phrase : kPhrases) {
    if (is_about(phrase, layer) && (phrase.field.empty() || phrase.field == field.name) &&
        (phrase.value.empty() || phrase.value == value))
      return filled(filled(phrase.text, "{name}", field.name), "{}", value);
  }
  return std::nullopt;
}

std::string evidence_text(std::string_view layer, const Evidence& evidence) {
  std::string out;
  for (const EvidenceField& field : evidence) {
    std::string said =
        field_text(layer, field).value_or(concat("; ", field.name, " ", value_text(field.value)));
    if (out.empty()) said.erase(0, said.find_first_not_of(";:, "));
    out += said;
  }
  return out;
}

}  // namespace bawn
