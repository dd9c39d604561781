// The environment of the command. It is built from nothing: the caller's environment is not
// inherited.
//
// Sources, each overriding the one before it:
// 1. bawn: LANG, and HOME if the workspace exists already;
// 2. the caller's value of each variable that environment.pass names;
// 3. environment.set of the policy;
// 4. the request's env;
// 5. bawn: PATH, always. It holds the caller's directories that the policy accepted
//    (ValidationContext::search), then the trusted path, because programs were judged by this
//    search order.
//
// HOME is missing for a private workspace, whose directory is not made yet. The planner adds it.
//
// A variable of the request is left out and reported if
//  - its name is malformed (environment.bad_name);
//  - it is reserved, or the policy sets it (environment.reserved);
//  - it makes programs run other code (environment.code_injection);
//  - it carries credentials (environment.credential).
// The policy is trusted more: it may pass and set any well-formed name but kOwnVariables
// (policy/text/text_rule.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "request/request.h"
#include "validate/validate.h"
#include "validate/violation.h"

namespace bawn {

struct EnvironmentPolicy;

// The finished environment: "KEY=value", sorted, each key once. Refused variables of the request
// are left out and appended to `violations`. `context.lookup` must not be null.
[[nodiscard]] std::vector<std::string> build_environment(const EnvironmentPolicy& policy,
                                                         const Request& request,
                                                         const ValidationContext& context,
                                                         Violations& violations);

// The names of environment.pass for which the caller has a value. The result says nothing about the
// other names: bawn, the policy or the request may still set them.
[[nodiscard]] std::vector<std::string> passed_variables(const EnvironmentPolicy& policy,
                                                        const ValidationContext& context);

// Why a request may not set a variable of this name; empty if it may. Also decides about `env
// NAME=value command`. Only the name counts, never the value.
[[nodiscard]] std::optional<Violation> judge_variable(const EnvironmentPolicy& policy,
                                                      std::string_view name);

}  // namespace bawn
