#include "backend/linux/launch/launch_steps.h"

#include <array>
#include <cerrno>

#include "host/setup_error.h"

namespace bawn::linux_ {
namespace {

using init::Step;

constexpr std::array<StepDescription, static_cast<std::size_t>(Step::count)> kDescriptions = {{
    {"none", "do nothing", ""},
    {"reset_signals", "reset signal handling", ""},
    {"priority", "reset priority and OOM score", "mount /proc"},
    {"own_session", "start a new session for init", ""},
    {"receive_setup", "receive the setup message", ""},
    {"receive_exec", "receive the exec message", ""},
    {"become_subreaper", "make init a subreaper", ""},
    {"watch_parent", "watch the calling process", ""},
    {"watch_children", "watch the command's processes", ""},
    {"open_proc", "read lists of children under /proc",
     "mount /proc; the kernel needs CONFIG_PROC_CHILDREN"},
    {"private_directory", "make the run's private directory",
     "check that /tmp is writable and not full"},
    {"few_privileges", "drop the capabilities that init does not need", ""},
    {"read_namespaces", "verify the new namespaces through /proc/self/ns", "mount /proc"},
    {"become_user", "become the command's user", ""},
    {"host_name", "set the new host name", ""},
    {"make_root", "make the new root",
     "a kernel from 5.12 on is needed; on Ubuntu, AppArmor may forbid it: 'bawn doctor' tells"},
    {"base_mount", "mount into the new root the base mount",
     "check that it still exists and that you may read it"},
    {"mount", "mount into the new root", "check that it still exists and that you may read it"},
    {"change_root", "change to the new root", ""},
    {"leave_old_root", "leave the old root", ""},
    {"open_cwd", "open in the new root the working directory",
     "check that the working directory still exists"},
    {"open_executable", "open in the new root the program",
     "it was moved or replaced meanwhile; try again"},
    {"open_stdio", "reopen through a read-only mount the caller's file", ""},
    {"netns", "make a network namespace for the run",
     "'bawn doctor' tells who forbids it and what helps"},
    {"open_terminal", "open a private terminal for the run",
     "check kernel.pty.max and kernel.pty.reserve (sysctl)"},
    {"clone_command", "create the command's process",
     "check the user's process limit (ulimit -u), and --total-pids (policy key: "
     "limits.total_processes) if it is set"},
    {"nested_pid_namespace", "make a pid namespace for the command",
     "check user.max_pid_namespaces (sysctl); a run whose command is process 1 needs two"},
    {"nested_proc", "mount for the command's pid namespace",
     "'bawn doctor' tells whether this host allows a new /proc"},
    {"enter_cgroup", "enter the run's cgroup", "'bawn doctor' tells where cgroups can be made"},
    {"new_session", "start a new session", ""},
    {"join_terminal", "make the private terminal the command's controlling terminal", ""},
    {"die_with_init", "set the command's parent-death signal (PR_SET_PDEATHSIG)", ""},
    {"reset_umask", "reset the umask", ""},
    {"reset_personality", "reset the execution domain", ""},
    {"new_keyring", "join a fresh session keyring",
     "check the user's key quota in /proc/key-users"},
    {"connect_stdio", "connect stdin, stdout and stderr", ""},
    {"close_files", "close inherited files", "the kernel needs close_range (5.11 or later)"},
    {"change_directory", "enter the working directory",
     "check that the working directory still exists"},
    {"limits", "set a resource limit", ""},
    {"bounding_set", "empty the capability bounding set", ""},
    {"capabilities", "drop all capabilities", ""},
    {"no_new_privs", "set no_new_privs", ""},
    {"landlock", "enter the Landlock ruleset", ""},
    {"seccomp", "install the seccomp filter", ""},
    {"execute", "execute the command", "check that the file is a program for this machine"},
    {"drop_init", "drop init's own capabilities", ""},
}};

// In steps that make a namespace, ENOSPC is the limit on namespaces; elsewhere it is a full file
// system or the limit on ptys. EAGAIN in clone_command is the limit on processes, for which that
// step has its own hint.
bool is_shortage(Step step, int error) {
  if (error == ENOSPC)
    return step == Step::netns || step == Step::clone_command || step == Step::enter_cgroup;
  return !(step == Step::clone_command && error == EAGAIN) && !shortage_hint(error).empty();
}

}  // namespace

const StepDescription& describe_step(Step step) {
  const auto index = static_cast<std::size_t>(step);
  return kDescriptions[index < kDescriptions.size() ? index : 0];
}

std::string_view step_hint(Step step, int error) {
  const bool makes_root = step >= Step::make_root && step <= Step::mount;
  if (makes_root && error == ENOSPC) {
    return "the new root itself takes some of the run's temporary space: try --tmp-size 16M "
           "(policy key: limits.tmp_bytes)";
  }
  const bool enters_cwd = step == Step::open_cwd || step == Step::change_directory;
  if (enters_cwd && error == EACCES)
    return "you may not enter it: add the permission (chmod u+x), or name another directory";
  if (is_shortage(step, error)) return shortage_hint(error);
  if (error != ENOSYS) return describe_step(step).hint;
  return "the kernel is too old, or a filter around bawn refuses the call: 'bawn doctor' tells "
         "which and what helps";
}

void add_init_steps(const init::Report& report, Stopwatch& stopwatch) {
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(Step::count); ++i) {
    if (report.step_times[i] != 0)
      stopwatch.add(describe_step(static_cast<Step>(i)).name, report.step_times[i]);
  }
}

}  // namespace bawn::linux_
