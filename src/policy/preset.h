// The named policies that ship with bawn. Their values are data in preset.cc, one function each.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "policy/policy.h"

namespace bawn {

// workspace, agent, basic, strict, network-isolated, disabled.
[[nodiscard]] std::span<const std::string_view> preset_names();

// What the preset is for, in one line.
[[nodiscard]] std::string_view preset_summary(std::string_view name);

// Empty for a name that is not a preset: an unknown mode is the caller's error, never a default.
[[nodiscard]] std::optional<Policy> preset(std::string_view name);

}  // namespace bawn
