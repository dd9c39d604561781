// Outcomes of requests that never ran: refused by the policy, unreadable, or failed before the
// command started.
//
// Each outcome has an `error` whose kind a program can branch on. The violations carry the details.
// All functions are pure and change nothing on the host.
#pragma once

#include <string>
#include <vector>

#include "json/document.h"
#include "outcome/outcome.h"
#include "validate/violation.h"

namespace bawn {

// The kind that stands for all violations: the first of these lines that matches any of them.
//   workspace_scope_denied  path.*, cwd.*, workspace.*
//   egress_denied           egress.*
//   invalid_input           every code that no other line lists
//   unsupported_platform    tier.*, limit.*, landlock.* (what this host cannot enforce)
// unsupported_platform comes last because it matters only once the request itself is valid.
[[nodiscard]] FailureKind denial_kind(const Violations& violations);

// Status `denied`. The error's message is the first violation's, with the number of the others; its
// hint is the first violation's.
[[nodiscard]] Outcome denied_outcome(std::string run_id, Violations violations,
                                     std::vector<std::string> repairs = {});

// For text that is not a valid request: denied as invalid_input, with one violation
// `request.invalid` for each problem. The run id stays empty, because an id in invalid text cannot
// be trusted.
[[nodiscard]] Outcome invalid_request_outcome(const std::vector<json::Problem>& problems);

// Status `failed`: bawn could not carry out the request. `step` is the launch step that failed, ""
// if the failure was not in a step.
[[nodiscard]] Outcome failed_outcome(std::string run_id, FailureKind kind, std::string message,
                                     std::string step = "", std::string hint = "");

}  // namespace bawn
