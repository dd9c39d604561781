// Policy + Request + HostFacts -> Plan: what the launcher will do, decided completely and as a
// value.
//
// Everything a policy asks for is either in the plan or a violation; there is no third way. The
// launchers to the right of a Plan take no decisions. Nothing here touches the host except through
// PathLookup.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/facts.h"
#include "plan/cgroup_plan.h"
#include "plan/input_protection.h"
#include "plan/root_plan.h"
#include "plan/sandbox_profile_plan.h"
#include "plan/stdio_route.h"
#include "policy/policy.h"
#include "request/request.h"
#include "validate/validate.h"

namespace bawn {

enum class FileAccess {
  read,    // and execute
  write,   // and everything below it
  device,  // read and write, no more
};

struct FileGrant {
  Located target;
  FileAccess access = FileAccess::read;
  std::string origin;  // "system", "workspace", "filesystem.read"
};

// One rlimit-like restriction in the terms of the policy, with the number the kernel is to be
// given.
enum class ProcessLimit { cpu_seconds, memory_data, processes, open_files, file_bytes, core_bytes };
struct LimitPlan {
  ProcessLimit limit = ProcessLimit::core_bytes;
  std::uint64_t value = 0;
};

enum class TerminalUse {
  none,        // none of the command's files is a terminal
  own,         // one of the run's own stands for the caller's
  the_callers  // the caller's, as it is
};
struct TerminalPlan {
  TerminalUse use = TerminalUse::none;
  std::uint32_t stdio = 0;      // bit i: it is file i of the command
  bool led_by_command = false;  // an own one's session; otherwise by init
};

struct AbsentLimit {
  std::string name;
  std::string why;
};

// In force, but not for all that the policy means by it.
struct PartialLimit {
  std::string name;
  std::string what_escapes;
};

struct Plan {
  Tier tier = Tier::b;
  Boundary boundary = Boundary::landlock;
  Program program;
  Located cwd;
  std::vector<std::string> environment;
  std::vector<std::string> passed;  // the names of those that were the caller's
  std::vector<FileGrant> files;
  bool refuse_network = false;
  bool private_workspace = false;  // the working directory is made for the run
  bool private_tmp = false;
  bool private_home = false;  // where there is no root of its own to put one into
  std::string private_name;   // of the directory that holds them; "" if none is wanted
  Located private_parent;     // where it is made
  std::vector<LimitPlan> process_limits;
  Limits limits;                           // effective; wall time shortened by the request
  std::optional<CgroupPlan> cgroup;        // for limits of the whole tree
  std::string no_cgroup;                   // why those that want one go without; "" if none does
  std::vector<AbsentLimit> absent_limits;  // optional ones that this host cannot enforce
  std::vector<PartialLimit> partial_limits{};
  std::uint64_t user_tasks = 0;  // counted into the process limit because the kernel counts them
  RootPlan root;                 // namespaces; still_missing elsewhere too
  RunUser user;                  // namespaces
  bool as_pid_1 = false;         // namespaces: the command is process 1 of those it sees
  std::string seccomp_profile;   // namespaces: Policy::SystemCalls::profile
  bool refuse_set_group_id =
      false;                     // Linux: S_ISGID in a mode, as S_ISUID is in every confined run
  Located seccomp_profile_file;  // namespaces: that, if it is a file
  std::vector<ProtectedInput> inputs;  // what bawn has read and the command may not change
  SandboxProfilePlan sandbox_profile;  // profile
  TerminalPlan terminal;
  StdioRoutes stdio{};  // Linux; known when the run begins
};

// The strongest tier the host has and the policy accepts, or why there is none.
[[nodiscard]] std::variant<Tier, Violation> choose_tier(const Policy& policy,
                                                        const HostFacts& host);

// Whether the policy asks for something that only a root of the run's own can give.
[[nodiscard]] bool needs_own_root(const Policy& policy);

struct PlanResult {
  Plan plan;
  Violations violations;
};

// What is new with every run.
struct RunIdentity {
  std::string run_id;        // the caller's, or ours
  std::string private_name;  // for the private directory: always ours, because nobody may guess it
  std::string home{};        // the caller's, if it has one
  std::vector<std::string> search{};  // the directories of the caller's PATH that exist, canonical
  // Which of the caller's files that the command is to get are its terminal: bit i for file i.
  std::uint32_t terminals = 0;
  std::vector<InputFile> inputs{};  // what bawn has read to decide about the run
};

// `verdict` must be of the same tier. Its violations are not repeated here.
[[nodiscard]] PlanResult plan_run(const Policy& policy, const Request& request,
                                  const Verdict& verdict, Tier tier, const RunIdentity& identity,
                                  const HostFacts& host, const PathLookup& lookup);

}  // namespace bawn
