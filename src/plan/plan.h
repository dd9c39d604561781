// Policy + Request + HostFacts -> Plan: everything that the launcher will do, decided completely,
// as a value.
//
// Everything that a policy asks for is either in the plan or a violation. Launchers carry out a
// Plan and decide nothing. Nothing here touches the host except through PathLookup.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "host/facts.h"
#include "plan/boundary_plan.h"
#include "plan/cgroup_plan.h"
#include "plan/git/git_hooks.h"
#include "plan/handoff_plan.h"
#include "plan/input_protection.h"
#include "plan/stdio_route.h"
#include "policy/limit.h"
#include "policy/tier.h"
#include "request/request.h"
#include "validate/validate.h"

namespace bawn {

struct Policy;

// A per-process limit and its value, in the unit that the kernel takes.
struct LimitPlan {
  ProcessLimit limit = ProcessLimit::core_bytes;
  std::uint64_t value = 0;
  bool is_callers = false;  // the hard limit of bawn itself, which is lower than the wanted value
};

enum class TerminalUse {
  none,        // no stdio file of the command is a terminal
  own,         // a private pty replaces the caller's terminal
  the_callers  // the caller's terminal itself
};
struct TerminalPlan {
  TerminalUse use = TerminalUse::none;
  std::uint32_t stdio = 0;        // bit i: descriptor i of the command is the terminal
  bool led_by_command = false;    // for `own`: the command leads the session; otherwise init does
  bool replaces_callers = false;  // for `own`: the caller has a terminal, which it stands for
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

// Everything that a launcher needs. It owns its strings, and holds the located files open.
struct Plan {
  Tier tier = Tier::b;
  BoundaryPlan by_boundary;
  Program program;
  // The files that the kernel lets the run execute; none if every program may run, or if the
  // boundary enforces no list.
  std::optional<ExecutableList> executables{};
  std::string exec_probe;  // plan/exec_probe.h
  Located cwd;
  std::vector<std::string> environment;
  std::vector<std::string> passed;  // names of variables passed on from the caller
  NetworkPlan network;
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
  std::vector<ProtectedInput> inputs;  // files that bawn has read and the command may not change
  // Protected names that do not exist. After the run bawn checks whether the command made them.
  std::vector<std::string> still_missing;
  GitHooksPlan git_hooks{};
  std::optional<HandoffPlan> handoff{};  // none if the policy does not ask
  bool trial = false;                    // Linux: do everything but the exec
  TerminalPlan terminal;
  StdioPlan stdio{};  // Linux (plan/stdio_plan.h)

  [[nodiscard]] Boundary boundary() const { return static_cast<Boundary>(by_boundary.index()); }

  // The part of one boundary; null if the plan has another.
  template <class Part>
  [[nodiscard]] const Part* part() const {
    return std::get_if<Part>(&by_boundary);
  }
  // The files that the command may use, for a boundary that keeps the host's root.
  [[nodiscard]] std::span<const FileGrant> files() const;
  // Null if the run has no filter.
  [[nodiscard]] const FilterPlan* filter() const;
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
  std::uint32_t draw = 0;           // a random number; it chooses the host id of root's run
};

// What a plan is made of.
struct PlanInput {
  const Policy& policy;
  const Request& request;
  const Verdict& verdict;  // of the same tier; the result does not repeat its violations
  Tier tier;
  const RunIdentity& identity;
  const HostFacts& host;
  const LimitFacts& limits;
  const SetupPlan* setup;  // of the same policy and host; null if the run has no root of its own
  const PathLookup& lookup;
};

// Makes the plan. Reads files only through `lookup` and changes nothing.
[[nodiscard]] PlanResult plan_run(const PlanInput& input);

}  // namespace bawn
