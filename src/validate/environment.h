// The environment of the command, built from nothing.
//
// In this order, the later wins: PATH, HOME and LANG from bawn; what the policy passes from the
// caller and the caller has; what the policy sets; what the request brings. PATH is always the
// trusted path, after what the policy takes of the caller's, whoever names it: programs were judged
// on that one. HOME is left out for a private workspace, which does not exist yet; whoever makes it
// adds it.
//
// A request's variable is refused and left out if its name is not one (environment.bad_name), is
// bawn's own or set by the policy (environment.reserved), makes programs run other code
// (environment.code_injection) or carries credentials (environment.credential). The policy's author
// may pass and set all of those except bawn's own (kOwnVariables).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "request/request.h"
#include "validate/validate.h"
#include "validate/violation.h"

namespace bawn {

// "KEY=value", sorted, one per key.
[[nodiscard]] std::vector<std::string> build_environment(const Policy& policy,
                                                         const Request& request,
                                                         const ValidationContext& context,
                                                         Violations& violations);

// What of environment.pass the caller has; the rest may have a value of bawn's own.
[[nodiscard]] std::vector<std::string> passed_variables(const Policy& policy,
                                                        const ValidationContext& context);

// Whether a request may bring a variable of this name; also for `env NAME=value command`.
[[nodiscard]] std::optional<Violation> judge_variable(const Policy& policy, std::string_view name);

}  // namespace bawn
