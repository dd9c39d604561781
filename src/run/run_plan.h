// A request on its way from words to a plan, as far as that is the same on every system. Everything
// in here is decided before anything runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "host/facts.h"
#include "plan/plan.h"
#include "run/bawn.h"
#include "validate/scope.h"

namespace bawn {

struct RunPlan {
  Violations violations;
  std::optional<Tier>
      tier;  // none if the host has none that the policy accepts, or the request is refused
  bool input_is_valid = false;
  HostFacts host;
  Plan plan;
  std::optional<Error>
      failure{};  // the host could not be asked for what the plan depends on; there is none then

  // Whether the host was short of something while files were looked at. Then nothing that was
  // decided by them counts, no violation either, and `failure` says what was short.
  [[nodiscard]] bool failed_to_look(const PathLookup& lookup);
  // The same for another question to the host.
  void fail(Error error);

  void refuse(Violations more);

  // What the validator says. Whether there is anything left to plan; if not, all has been said: of
  // what the plan would have refused, also that which may be why the validator does not find what
  // the request names.
  [[nodiscard]] bool admits(const Verdict& verdict, const Policy& policy);

  void take(PlanResult result);
};

// First what can be said without looking at a single file: whether policy and request are well
// formed, and which tier the run is for.
[[nodiscard]] RunPlan check_input(const Policy& policy, const Request& request,
                                  RequestSource source, HostFacts host);

// As the policy or the caller spells it; "" for a private one.
[[nodiscard]] std::string workspace_of(const Policy& policy, const RunOptions& options);

// Those of the caller's PATH that are there. Relative ones would mean something else with every
// directory, what does not exist holds no program, and where a link of a run's making leads is not
// shown for that, but if it is seen anyway. `home` is the caller's, canonical.
[[nodiscard]] std::vector<std::string> directories_among(std::span<const std::string_view> paths,
                                                         const PathLookup& lookup,
                                                         const Scope& scope, std::string_view home);

// The caller's HOME, canonical; "" if it has none.
[[nodiscard]] std::string real_home(const std::optional<std::string>& variable,
                                    const PathLookup& lookup);

// The same policy with the paths that it refuses as the look-up tells them: where one file has many
// spellings, a prefix is met however it was written.
[[nodiscard]] Policy with_canonical_paths(Policy policy, const PathLookup& lookup);

// The same policy, in which a path that it refuses is refused by its real name on the host as well.
// It stays refused as it was written: where grants have destinations, that may be a name of the
// run.
[[nodiscard]] Policy with_real_names_added(Policy policy, const PathLookup& host);

// A line for each file that bawn has read and the run protects.
[[nodiscard]] std::vector<std::string> protection_notices(const Plan& plan);

// What was decided, in a line for a log.
[[nodiscard]] std::string plan_line(const Plan& plan);

}  // namespace bawn
