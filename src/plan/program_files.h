// The files that a program is made of, and who has chosen each: the caller, or something that the
// run itself can change.
//
// What the caller named, a run is shown wherever it lies. What a link or the first line of a script
// names that an earlier run may have written, it is not shown on that word alone.
#pragma once

#include <vector>

#include "validate/scope.h"
#include "validate/validate.h"

namespace bawn {

struct NamedFile {
  const Located* file;
  bool by_the_run = false;  // through a script or a link that lies where the run can write
};

// From the file that was asked for to the one that is executed. They live in `program`.
[[nodiscard]] std::vector<NamedFile> files_of(const Program& program, const Scope& scope);

// For one that was named by the run, and that it would not see otherwise.
[[nodiscard]] Violation choice_of_the_run(const Located& file);

}  // namespace bawn
