// The files that make up a program (scripts and interpreter), and what named each: the caller, or
// something that the run can change.
//
// A file that the caller named is shown to the run wherever it lies. A file named by a link or a
// "#!" line that an earlier run may have written is not shown for that reason alone: otherwise a
// run could make the next one show it any file.
#pragma once

#include <vector>

#include "validate/scope.h"
#include "validate/validate.h"

namespace bawn {

struct NamedFile {
  const Located* file;
  bool by_the_run = false;  // named by a script or a link in a place where the run can write
};

// From the requested file to the one that is executed. Pointers lead into `program`, which must
// outlive the result.
[[nodiscard]] std::vector<NamedFile> files_of(const Program& program, const Scope& scope);

// The violation for a file that the run named and would not see otherwise.
[[nodiscard]] Violation choice_of_the_run(const Located& file);

}  // namespace bawn
