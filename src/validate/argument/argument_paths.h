// Judges every argument that is or contains a path.
//
// This is the early check, the one that can explain; the kernel's enforcement (Landlock in tier b,
// the mount namespace in tier c) decides about what a program opens in the end. Therefore text that
// only looks like a path is let through, and a path that certainly leads out is refused before
// anything runs.
//
// A candidate (validate/argument/path_candidates.h) is taken for a path if
//  - it is relative and has the shape of a path, or its first component exists in the working
//    directory;
//  - it is absolute and its first component exists on the host: `/etc/passwd|x` is one, `/^abc$/d`
//    is not;
//  - it is absolute, the whole argument, and has the shape of a path: `/nowhere/x` is one,
//    `--route=/api/x` is not, because below a directory that does not exist there is nothing to
//    open;
//  - it comes from a file: URL, or begins with ~ and no entry has that name.
// Not looked at: words that the program takes as text (validate/argument/argument_kind.h), values
// that `env` sets, and command lines that begin with a program's path, as a shell is given. What
// code does with paths (sed's `w`, a shell's redirections) is left to the kernel.
//
// Relative paths are seen from the working directory; those of git from where its -C leads.
//
// A path is located, links and `..` included, and judged by where it leads. In every confined tier
// it must not be refused by `arguments.refuse_paths` (path.refused), lie at or below a
// `workspace.hide` entry (path.hidden) or defy look-up (path.unresolvable). In tier b it must also
// lie in the scope (path.outside_scope), be a harmless device, or be a program on the trusted path,
// which the executable half of the validator judges. A value inside a word (`-I/usr/include`,
// `PREFIX=/usr`) may also lie in the system's read-only tree, because builds name it and nobody can
// write there.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"
#include "request/request.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

// `words` are the request's args. At most one violation per word, for the first candidate that has
// one.
void judge_paths(const Policy& policy, const Request& request,
                 const std::vector<std::string>& words, const Scope& scope, const Located& cwd,
                 Tier tier, const PathLookup& lookup, Violations& violations);

}  // namespace bawn
