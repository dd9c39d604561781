// Recognises well-known programs under other names: by link, by hard link, and by copy.
//
// The attack: `cp /bin/bash ./formatter`, and the name says nothing any more. A changed copy is not
// recognised; only the sandbox restricts that one.
#pragma once

#include <string>
#include <vector>

#include "validate/lookup.h"
#include "validate/program/executable_file.h"

namespace bawn {

// Which well-known programs to compare an unknown file with. If the policy allows interpreters,
// hiding one gains nothing, and only the privileged ones are compared.
enum class Disguises { all, privileged };

// Every name by which the tables may know the program, the invoked name first. Then follow the
// names of the file that the links lead to, as guest and as host path. For a file outside the
// trusted path, the name of a privileged program, interpreter or launcher follows, if the file is a
// hard link or a copy of it. A multi-call program has its invoked name only.
[[nodiscard]] std::vector<std::string> names_of(const ExecutableFile& program, Disguises disguises,
                                                const PathLookup& lookup);

}  // namespace bawn
