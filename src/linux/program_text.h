// Lays a plan out as the flat text that the keeper maps: one Program, then its arrays and strings.
#pragma once

#include <linux/filter.h>

#include <array>
#include <span>
#include <string>

#include "linux/keeper/program.h"
#include "linux/landlock_ruleset.h"
#include "plan/plan.h"

namespace bawn {

struct ProgramFacts {
  std::uint32_t slots = 0;             // bit i: there is a file for keeper::Slot i
  bool may_drop_bounding_set = false;  // CAP_SETPCAP is effective
  std::span<const sock_filter> filter{};
  LandlockRights rights;
  std::array<std::uint64_t, keeper::kNamespaceCount> namespaces{};  // the caller's
  std::uint32_t caller_uid = 0;
  std::uint32_t caller_gid = 0;
  keeper::TerminalOrder terminal{};
  bool timing = false;  // somebody wants to know when each step ended
};

[[nodiscard]] std::string program_text(const Plan& plan, const ProgramFacts& facts);

}  // namespace bawn
