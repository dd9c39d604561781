// The text form of a Policy: reading with positions, printing with origins, JSON Schema.
//
// The format is closed: unknown and duplicate keys are problems. It permits comments. A value out
// of range is a problem and is never clamped. The top-level keys are the members of Policy and
// `extends` (a preset; `agent` if absent). A key that is given replaces the preset's value as a
// whole, lists and maps included. All functions are pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json/document.h"
#include "policy/egress_host.h"
#include "policy/policy_check.h"
#include "policy/sourced_policy.h"

namespace bawn {

inline constexpr std::size_t kMaxPolicyBytes = 256 * 1024;

// Returns the policy, or the problems as json::Document lists them; never both. `file` is only the
// name used in origins. Problems never repeat a secret or the value of a variable.
[[nodiscard]] std::variant<SourcedPolicy, std::vector<json::Problem>> parse_policy(
    std::string text, std::string_view file);

// The preset as if a file had said nothing but `extends`. Empty for an unknown name.
[[nodiscard]] std::optional<SourcedPolicy> sourced_preset(std::string_view name);

// A policy file that parse_policy reads back to the same value and that depends on no preset. It
// contains the policy's secrets: it is for files, not for terminals and logs.
[[nodiscard]] std::string policy_text(const Policy& policy);

// For people to read: the same with each value's origin as a comment at the end of its line.
// Secrets are masked: literal secrets, and values of variables that look like credentials.
[[nodiscard]] std::string policy_text_with_origins(const SourcedPolicy& policy);

// JSON Schema 2020-12 of the format.
[[nodiscard]] std::string policy_schema();

// Advice, one sentence each, on values that are valid but probably not meant: an allow list beside
// "all", a blocked program on the allow list, an interpreter on the allow list while interpreters
// are off, and so on.
[[nodiscard]] std::vector<std::string> lint_policy(const Policy& policy);

}  // namespace bawn
