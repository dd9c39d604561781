// The policies that ship with bawn, by name.
//
// Their values are data in preset.cc, one function for each preset. Every call returns a fresh
// copy.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "policy/policy.h"

namespace bawn {

// workspace, agent, basic, strict, network-isolated, disabled.
[[nodiscard]] std::span<const std::string_view> preset_names();

// One line that says what the preset is for.
[[nodiscard]] std::string_view preset_summary(std::string_view name);

// Empty for an unknown name. The caller must report that as an error and must not fall back to a
// default.
[[nodiscard]] std::optional<Policy> preset(std::string_view name);

}  // namespace bawn
