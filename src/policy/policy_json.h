// A Policy as text: reading with positions, printing with origins, and the JSON Schema of the
// format.
//
// The format is closed (unknown or duplicate keys are problems), allows comments, and clamps
// nothing. Its top-level keys are the members of Policy plus `extends` (a preset name; `agent` if
// absent). A key that is given replaces the preset's value as a whole, lists and maps included.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json/document.h"
#include "policy/egress_host.h"
#include "policy/policy.h"
#include "policy/policy_check.h"

namespace bawn {

inline constexpr std::size_t kMaxPolicyBytes = 256 * 1024;

// The policy, or the problems found in the text, as json::Document lists them. `file` only names
// the text in origins. Problems never repeat a secret or the value of a variable.
[[nodiscard]] std::variant<SourcedPolicy, std::vector<json::Problem>> parse_policy(
    std::string text, std::string_view file);

// A preset, as if by a file that only says "extends".
[[nodiscard]] std::optional<SourcedPolicy> sourced_preset(std::string_view name);

// The policy as a policy file that parse_policy would read back to the same value, with no
// `extends` left open. Holds the policy's secrets: it is for files, not for terminals and logs.
[[nodiscard]] std::string policy_text(const Policy& policy);

// The same with each value's origin as a comment at the end of its line, and with secrets masked:
// literal secrets, and values of variables that look like credentials. For people to read.
[[nodiscard]] std::string policy_text_with_origins(const SourcedPolicy& policy);

// JSON Schema 2020-12 of the format.
[[nodiscard]] std::string policy_schema();

// Things that are valid but probably not meant: an allow list with "all" beside it, a blocked
// program on the allow list, an interpreter on the allow list while interpreters are off, and so
// on. One sentence each.
[[nodiscard]] std::vector<std::string> lint_policy(const Policy& policy);

}  // namespace bawn
