// Whether the command could change what bawn has read to decide about its run, and with it what the
// next run may do.
//
// A policy that lies in the repository it is for is normal use. There the file is protected for the
// run: it and the directories above it keep their names and their content. A run that cannot have
// that is refused.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/input_file.h"
#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

struct ProtectedInput {
  Located file;
  std::string origin;  // as InputFile has it
};

struct InputProtection {
  std::vector<ProtectedInput> protect;  // those that lie where the command may write
  Violations violations;
};

// Where nothing looks at what the command writes (Boundary::none, Boundary::job) nothing is
// promised and nothing refused.
[[nodiscard]] InputProtection protect_inputs(std::span<const InputFile> inputs, Boundary boundary,
                                             const Scope& scope, const PathLookup& lookup);

}  // namespace bawn
