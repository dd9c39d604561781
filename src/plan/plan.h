// Policy + Request + HostFacts -> Plan: everything that the launcher will do, decided completely,
// as a value.
//
// Everything that a policy asks for is either in the plan or a violation. Launchers carry out a
// Plan and decide nothing. Nothing here touches the host except through PathLookup.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/facts.h"
#include "plan/cgroup_plan.h"
#include "plan/input_protection.h"
#include "plan/root/root_plan.h"
#include "plan/sandbox_profile_plan.h"
#include "plan/stdio_route.h"
#include "policy/limit.h"
#include "policy/tier.h"
#include "request/request.h"
#include "validate/validate.h"

namespace bawn {

struct Policy;

enum class FileAccess {
  read,    // read and execute
  write,   // read, write and execute, with everything below it
  device,  // read and write only
};

// Access to one located file or directory, for boundaries without a new root.
struct FileGrant {
  Located target;
  FileAccess access = FileAccess::read;
  std::string origin;  // "system", "workspace", "filesystem.read"
};

// A per-process limit and its value, in the unit that the kernel takes.
enum class ProcessLimit { cpu_seconds, memory_data, processes, open_files, file_bytes, core_bytes };
struct LimitPlan {
  ProcessLimit limit = ProcessLimit::core_bytes;
  std::uint64_t value = 0;
};

enum class TerminalUse {
  none,        // no stdio file of the command is a terminal
  own,         // a private pty replaces the caller's terminal
  the_callers  // the caller's terminal itself
};
struct TerminalPlan {
  TerminalUse use = TerminalUse::none;
  std::uint32_t stdio = 0;      // bit i: descriptor i of the command is the terminal
  bool led_by_command = false;  // for `own`: the command leads the session; otherwise init does
};

// A limit that is not in force, and the reason.
struct AbsentLimit {
  std::string name;
  std::string why;
};

// A limit that is in force but does not cover everything that the policy means.
struct PartialLimit {
  std::string name;
  std::string what_escapes;
};

// Everything that a launcher needs. It owns its strings, and holds the located files open. Members
// marked with a boundary are used by that one only.
struct Plan {
  Tier tier = Tier::b;
  Boundary boundary = Boundary::landlock;
  Program program;
  Located cwd;
  std::vector<std::string> environment;
  std::vector<std::string> passed;  // names of variables passed on from the caller
  std::vector<FileGrant> files;
  bool refuse_network = false;
  bool private_workspace = false;  // the workspace is made for the run
  bool private_tmp = false;
  bool private_home = false;  // only where the run has no root of its own
  // Name of the directory that holds the private ones; "" if none is wanted.
  std::string private_name;
  Located private_parent;  // parent of that directory
  std::vector<LimitPlan> process_limits;
  Limits limits;                     // effective; the request may shorten wall time
  std::optional<CgroupPlan> cgroup;  // limits of the whole process tree
  std::string no_cgroup;             // why limits that need a cgroup do without; "" if none does
  std::vector<AbsentLimit> absent_limits;  // optional limits that this host cannot enforce
  std::vector<PartialLimit> partial_limits{};
  // Added to RLIMIT_NPROC, because the kernel counts all tasks of the user.
  std::uint64_t user_tasks = 0;
  RootPlan root;          // Boundary::namespaces; still_missing is also used elsewhere
  RunUser user;           // Boundary::namespaces
  bool as_pid_1 = false;  // Boundary::namespaces: the command is pid 1 of the pid namespace it sees
  std::string seccomp_profile;  // Boundary::namespaces: SystemCallsPolicy::profile
  // Linux: refuse modes with S_ISGID. Modes with S_ISUID are refused in every confined run.
  bool refuse_set_group_id = false;
  Located seccomp_profile_file;        // Boundary::namespaces: the profile, if it is a file
  std::vector<ProtectedInput> inputs;  // files that bawn has read and the command may not change
  SandboxProfilePlan sandbox_profile;  // Boundary::profile
  bool trial = false;                  // Linux: do everything but the exec
  TerminalPlan terminal;
  StdioRoutes stdio{};  // Linux; filled in when the run begins
};

// Closes the located files, but for the program's. For a plan whose command has been launched: a
// caller with many runs would otherwise need many descriptors for each.
void close_files(Plan& plan);

// The strongest tier that the host has and the policy accepts, or the reason why there is none.
[[nodiscard]] std::variant<Tier, Violation> choose_tier(const Policy& policy,
                                                        const HostFacts& host);

// True if the policy asks for something that only a new root can give.
[[nodiscard]] bool needs_own_root(const Policy& policy);

// If there are violations, the plan is incomplete and must not be run.
struct PlanResult {
  Plan plan;
  Violations violations;
};

// Values that differ between runs of the same request.
struct RunIdentity {
  std::string run_id;  // the request's, or generated
  // Name of the private directory. Always generated: it must not be guessable.
  std::string private_name;
  std::string home{};                 // the caller's HOME, if it has one
  std::vector<std::string> search{};  // existing directories of the caller's PATH, canonical
  // Which of the caller's stdio files that are passed to the command are terminals: bit i for
  // descriptor i.
  std::uint32_t terminals = 0;
  std::vector<InputFile> inputs{};  // files that bawn has read to decide about the run
};

// Makes the plan. `verdict` must be of the same tier; its violations are not repeated in the
// result. Reads files only through `lookup` and changes nothing.
[[nodiscard]] PlanResult plan_run(const Policy& policy, const Request& request,
                                  const Verdict& verdict, Tier tier, const RunIdentity& identity,
                                  const HostFacts& host, const PathLookup& lookup);

}  // namespace bawn
