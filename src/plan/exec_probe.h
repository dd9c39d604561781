// A file that the kernel must refuse to execute in a run whose programs are listed. Init asks the
// kernel about it when the restriction is in force.
#pragma once

#include <string>

#include "validate/lookup.h"

namespace bawn {

struct ExecutableList;
struct FilesystemPolicy;

// A canonical path of the system that every run sees; "" if this host has no file to ask about.
// The C library beside a loader is the best one: it lies where files may be mapped, so only
// Landlock can refuse it.
[[nodiscard]] std::string choose_exec_probe(const ExecutableList& list,
                                            const FilesystemPolicy& grants,
                                            const PathLookup& lookup);

}  // namespace bawn
