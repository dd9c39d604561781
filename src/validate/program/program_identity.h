// Recognises well-known programs under other names: by link, by hard link, and by copy.
#pragma once

#include <string>
#include <vector>

#include "validate/lookup.h"
#include "validate/program/executable_file.h"

namespace bawn {

// What to look for behind an unknown file. Where interpreters are allowed, hiding one gains
// nothing.
enum class Disguises { all, privileged };

// Every name a program answers to, the one it was invoked by first: then the name of the file that
// links lead to and, for a file outside the trusted path, the name of the system's interpreter,
// launcher or privileged program that it is a hard link or a copy of. A multi-call program answers
// to the invoked name only.
[[nodiscard]] std::vector<std::string> names_of(const ExecutableFile& program, Disguises disguises,
                                                const PathLookup& lookup);

}  // namespace bawn
