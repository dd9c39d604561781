// The way from a policy and a request to a Plan, as far as it is the same on every system.
//
// Everything here is decided before anything runs. Files are only looked up through PathLookup,
// never changed. Each system's make_plan() adds the rest.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/run_options.h"
#include "base/error.h"
#include "host/facts.h"
#include "plan/plan.h"
#include "validate/scope.h"

namespace bawn {

struct Policy;

struct RunPlan {
  Violations violations;
  // Empty if the host has no tier that the policy accepts, or the request is refused.
  std::optional<Tier> tier;
  bool input_is_valid = false;
  std::shared_ptr<const HostFacts> host{};
  // What init is told before the request is judged; none if the run has no root of its own.
  std::optional<SetupPlan> setup{};
  Plan plan;
  // Set if the host could not be examined; then there is no plan.
  std::optional<Error> failure{};

  // True if the host was short of a resource while files were looked up. Then every decision based
  // on them is void, violations too, and `failure` says what was short.
  [[nodiscard]] bool failed_to_look(const PathLookup& lookup);
  // Voids the plan and its violations because another query of the host failed.
  void fail(Error error);

  // Adds violations.
  void refuse(Violations more);

  // Takes over the verdict. Returns whether there is anything left to plan. If not, violations of
  // destinations are added too: they may explain why the validator did not find what the request
  // names.
  [[nodiscard]] bool admits(const Verdict& verdict, const Policy& policy);

  // Takes over the plan and its violations.
  void take(PlanResult result);

  [[nodiscard]] const SetupPlan* setup_or_null() const { return setup ? &*setup : nullptr; }
};

// The first step, without any file lookup: checks that policy and request are well formed, and
// chooses the tier. `draw` is the run's (RunIdentity).
[[nodiscard]] RunPlan check_input(const Policy& policy, const Request& request,
                                  RequestSource source, std::shared_ptr<const HostFacts> host,
                                  std::uint32_t draw = 0);

// The workspace as the policy or the caller spells it; "" for a private one.
[[nodiscard]] std::string workspace_of(const Policy& policy, const RunOptions& options);

// The usable directories of the caller's PATH, canonical. Relative and missing ones are dropped.
// One that was reached through a link that a run may have made is dropped too, unless the command
// sees it anyway. `home` is the caller's, canonical.
[[nodiscard]] std::vector<std::string> directories_among(std::span<const std::string_view> paths,
                                                         const PathLookup& lookup,
                                                         const Scope& scope, std::string_view home);

// The caller's HOME, canonical; "" if it has none.
[[nodiscard]] std::string real_home(const std::optional<std::string>& variable,
                                    const PathLookup& lookup);

// Replaces arguments.refuse_paths by canonical paths: where a file has many spellings, the prefix
// then matches all of them.
[[nodiscard]] Policy with_canonical_paths(Policy policy, const PathLookup& lookup);

// Adds the canonical host path of each of arguments.refuse_paths. The path as written stays: where
// grants have destinations, it may be a guest path.
[[nodiscard]] Policy with_real_names_added(Policy policy, const PathLookup& host);

// One line for each file that bawn has read and that the run protects.
[[nodiscard]] std::vector<std::string> protection_notices(const Plan& plan);

// One line for the log: tier, program, directory, network.
[[nodiscard]] std::string plan_line(const Plan& plan);

}  // namespace bawn
