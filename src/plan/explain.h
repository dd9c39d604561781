// A Plan in words: what `bawn explain` prints, each value with the line of the policy, the flag or
// the preset it came from.
//
// First the plan becomes an Explanation, a plain value that leaves no question open; then that is
// written for people or as JSON, so that both say the same. Never holds what may be a secret:
// values of variables are there only if the policy or bawn itself sets them, and not if their name
// or shape is that of a credential.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/plan.h"
#include "policy/policy.h"
#include "request/request.h"

namespace bawn {

// The layers that are made of more than the plan, as those who make them tell.
struct ExplainedFilter {
  std::string name;
  std::size_t instructions = 0;
  std::string hash;
};
struct ExplainedGap {
  std::string layer;
  std::string why;
};

// Borrowed. The plan must be one without violations, made from this policy, request and host.
struct ExplainInput {
  const Plan* plan = nullptr;
  const SourcedPolicy* policy = nullptr;
  const Request* request = nullptr;
  const HostFacts* host = nullptr;
  std::optional<ExplainedFilter> filter{};  // none in an unconfined run
  std::vector<ExplainedGap> landlock_gaps{};
  std::vector<std::string> repairs{};  // of the request
};

// Who decided: a key of the policy and where its value stands, or bawn, the system or the request.
struct ExplainedOrigin {
  std::string key;     // "filesystem.read"; "" if no policy decides it
  std::string source;  // "policy.json:4:21", "--ro", "preset agent"; "bawn", "system", "request"
};

struct ExplainedPath {
  std::string path;
  // "bind", "mirror", ... for a mount of the new root; "missing" for a protected name that is not
  // there; "grant" and "private" in tier b
  std::string kind;
  std::string access;  // "read-only", "writable", "device", "hidden", "watched"
  std::string what;    // for people
  std::string source;  // of a bind: the path on the host; of a link: its target
  ExplainedOrigin origin;
};

struct ExplainedVariable {
  std::string name;
  std::optional<std::string> value;  // empty if it is not for everybody's eyes
  std::string why_hidden;
  ExplainedOrigin origin;
};

struct ExplainedLimit {
  std::string name;      // the policy's: "wall_time_ms"
  Limit value;           // empty: unlimited
  bool absent = false;   // asked for, but optional and not to be had here
  bool partial = false;  // something escapes it, which the mechanism names
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
  std::string
      fallback;  // what happens if the tier cannot be had after all; "" if nothing runs then

  std::string program;
  std::vector<std::string> argv;
  std::vector<std::string> scripts;
  std::string cwd;

  bool has_ids = true;                       // a system with users that have numbers
  std::uint32_t uid = 0, gid = 0;            // inside
  std::uint32_t host_uid = 0, host_gid = 0;  // whom the host takes it for
  std::optional<ExplainedIdRanges>
      id_ranges;  // none: no other ids exist inside, or all of the host's do
  std::vector<std::string> privileges;
  std::vector<std::string> namespaces;  // new ones
  bool command_is_pid_1 = false;        // of the new pid namespace; otherwise an init is
  ExplainedOrigin pid_1_origin;         // of the former
  bool paths_are_all = true;            // nothing else can be opened
  std::vector<ExplainedPath> paths;     // in the order in which they are put there
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

[[nodiscard]] Explanation explain_plan(const ExplainInput& input);

// An indented tree of lines. No byte of the plan can reach the terminal as a control sequence.
[[nodiscard]] std::string explanation_text(const Explanation& explanation);

// One line of JSON without a newline at the end, schema "bawn.plan.v1".
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace bawn
