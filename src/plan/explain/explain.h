// A Plan as text: what `bawn explain` prints. Each value comes with the policy line, flag or preset
// that set it.
//
// The plan first becomes an Explanation, a plain value without open questions. That is printed for
// people or as JSON, so both say the same. It never holds a possible secret: a variable's value is
// included only if the policy or bawn sets it, and not if its name or shape is that of a
// credential.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/plan.h"
#include "policy/limit.h"
#include "policy/tier.h"
#include "request/request.h"

namespace bawn {

struct SourcedPolicy;

// Layers that the Plan alone does not describe; the code that makes them supplies these.
struct ExplainedFilter {
  std::string name;
  std::size_t instructions = 0;
  std::string hash;
};
struct ExplainedGap {
  std::string layer;
  std::string why;
};

// All pointers are borrowed. The plan must have no violations and be made from this policy, request
// and host.
struct ExplainInput {
  const Plan* plan = nullptr;
  const SourcedPolicy* policy = nullptr;
  const Request* request = nullptr;
  const HostFacts* host = nullptr;
  std::optional<ExplainedFilter> filter{};  // none in an unconfined run
  std::vector<ExplainedGap> landlock_gaps{};
  // Programs in the library directories of a run whose programs are listed; none if not counted.
  std::optional<std::uint64_t> mappable_programs{};
  std::vector<std::string> repairs{};  // repairs made to the request
};

// Where a value comes from: a policy key with its source, or bawn, the system or the request.
struct ExplainedOrigin {
  std::string key;     // "filesystem.read"; "" if no policy key decides it
  std::string source;  // "policy.json:4:21", "--ro", "preset agent"; "bawn", "system", "request"
};

struct ExplainedPath {
  std::string path;
  // "bind", "mirror", ... for a MountOp; "missing" for a protected name that does not exist;
  // "grant" and "private" in tier b.
  std::string kind;
  std::string access;  // "read-only", "writable", "device", "hidden", "watched"
  std::string what;    // description for people
  std::string source;  // of a bind: its host path; of a link: its target
  ExplainedOrigin origin;
};

// A file that the kernel lets the run execute.
struct ExplainedExecutable {
  std::string path;
  std::string why;  // "program", "loader", "interpreter", "helper"
  std::string of;   // the entry of executables.allow; "" for the request's program
};

struct ExplainedExecutables {
  std::vector<ExplainedExecutable> files;
  std::vector<std::string> library_directories;  // where files can be mapped as code
  bool all_can_be_mapped = false;                // as all can in tier b
  std::optional<std::uint64_t> mappable_programs;
  ExplainedOrigin origin;
};

struct ExplainedVariable {
  std::string name;
  std::optional<std::string> value;  // empty if it may not be shown
  std::string why_hidden;
  ExplainedOrigin origin;
};

struct ExplainedLimit {
  std::string name;      // policy key: "wall_time_ms"
  Limit value;           // empty: unlimited
  bool absent = false;   // requested but optional, and not available here
  bool partial = false;  // not everything is counted; `mechanism` says what is not
  std::string mechanism;
  ExplainedOrigin origin;
};

struct ExplainedIdRanges {
  IdMaps maps;
  ExplainedOrigin origin;
};

struct Explanation {
  Tier tier = Tier::b;
  ExplainedOrigin tier_origin;
  // What happens if the tier turns out to be unavailable; "" if the run fails then.
  std::string fallback;

  std::string program;
  std::vector<std::string> argv;
  std::vector<std::string> scripts;
  std::string cwd;

  bool has_ids = true;                       // the system has numeric user ids
  std::uint32_t uid = 0, gid = 0;            // ids inside
  std::uint32_t host_uid = 0, host_gid = 0;  // ids on the host
  // For a run that root starts: where the host ids come from, and why it is not the policy's range.
  std::string host_ids;
  std::string host_ids_lack;
  // Empty: no other ids exist inside, or all of the host's do.
  std::optional<ExplainedIdRanges> id_ranges;
  std::vector<std::string> privileges;
  std::vector<std::string> namespaces;  // newly made ones
  bool command_is_pid_1 = false;        // pid 1 of the pid namespace it sees; otherwise init is
  ExplainedOrigin pid_1_origin;         // of command_is_pid_1
  bool paths_are_all = true;            // no other path can be opened
  std::vector<ExplainedPath> paths;     // in mount order
  std::optional<ExplainedExecutables> executables;  // none: every program may be executed
  std::vector<ExplainedVariable> environment;
  std::vector<ExplainedLimit> limits;
  std::optional<ExplainedFilter> filter;
  std::string network;
  bool network_isolated = false;
  ExplainedOrigin network_origin;
  int landlock_abi = 0;
  std::string landlock;
  std::vector<ExplainedGap> landlock_gaps;
  std::vector<std::string> repairs;
};

// Pure. The result owns everything; `input` need not outlive it.
[[nodiscard]] Explanation explain_plan(const ExplainInput& input);

// An indented tree of lines. No byte of the plan can reach the terminal as a control sequence.
[[nodiscard]] std::string explanation_text(const Explanation& explanation);

// One line of JSON without a newline at the end, schema "bawn.plan.v1".
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace bawn
