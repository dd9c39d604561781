// Lays a plan out as the flat text that the keeper maps: one Program, then its arrays and strings.
#pragma once

#include <string>

#include "linux/keeper/program.h"
#include "plan/plan.h"

namespace bawn {

struct ProgramFacts {
  int parent_pid = 0;
  bool may_drop_bounding_set = false;  // CAP_SETPCAP is effective
  std::uint64_t private_access = 0;    // Landlock rights below the private directory
};

[[nodiscard]] std::string program_text(const Plan& plan, const ProgramFacts& facts);

// The rlimit behind a planned limit, as the kernel numbers them.
[[nodiscard]] unsigned rlimit_resource(ProcessLimit limit);

}  // namespace bawn
