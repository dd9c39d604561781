// Outcomes of requests that never ran: refused by policy, unreadable, or failed before the command
// started.
//
// Each has an `error` that a program can branch on, and the violations carry the details.
#pragma once

#include <string>
#include <vector>

#include "json/document.h"
#include "outcome/outcome.h"
#include "validate/violation.h"

namespace bawn {

// What a set of violations is called as a whole, by the first of these that any of them is:
//   workspace_scope_denied  path.*, cwd.*, workspace.*
//   egress_denied           egress.*
//   invalid_input           everything that is in no other line
//   unsupported_platform    tier.*, limit.*, landlock.* (what this host cannot enforce)
// What the host lacks comes last: it would only matter once the request itself were in order.
[[nodiscard]] FailureKind denial_kind(const Violations& violations);

[[nodiscard]] Outcome denied_outcome(std::string run_id, Violations violations,
                                     std::vector<std::string> repairs = {});

// A text that is no request: denied as invalid_input, one violation `request.invalid` a problem.
// There is no run id, because the text's own could not be trusted.
[[nodiscard]] Outcome invalid_request_outcome(const std::vector<json::Problem>& problems);

// bawn itself could not do it. `step` names the launch step that failed, "" if none did.
[[nodiscard]] Outcome failed_outcome(std::string run_id, FailureKind kind, std::string message,
                                     std::string step = "", std::string hint = "");

}  // namespace bawn
