// Protects the files that bawn has read to decide about a run (InputFile) from the command. A
// command that changes its policy would decide what the next run may do.
//
// A policy file inside the repository that it governs is normal use. Such a file is protected
// during the run: it and the directories above it keep their names and content. If the tier cannot
// do that, the run is refused.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/input_file.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

struct ProtectedInput {
  Located file;
  std::string origin;  // InputFile::origin
};

struct InputProtection {
  std::vector<ProtectedInput> protect;  // inputs in places where the command may write
  Violations violations;
};

// Returns nothing for Boundary::none and Boundary::job: no mechanism checks the command's writes
// there, so nothing can be promised.
[[nodiscard]] InputProtection protect_inputs(std::span<const InputFile> inputs, Boundary boundary,
                                             const Scope& scope, const PathLookup& lookup);

}  // namespace bawn
