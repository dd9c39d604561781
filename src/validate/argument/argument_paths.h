// Judges every argument that is or contains a path.
//
// This check is early and can explain. It does not confine: the kernel (Landlock in tier b, the
// mount namespace in tier c) decides what a program can open in the end. Therefore text that only
// looks like a path passes, and a path that certainly leads out of the scope is refused before
// anything runs.
//
// A candidate (validate/argument/path_candidates.h) counts as a path if
//  - it is relative and has the shape of a path, or its first component exists in the working
//    directory;
//  - it is absolute and its first component exists: `/etc/passwd|x` is a path, `/^abc$/d` is not;
//  - it is absolute, is the whole argument, and has the shape of a path: `/nowhere/x` is a path.
//    `--route=/api/x` is not, because nothing can be opened below a directory that does not exist;
//  - it comes from a file: URL;
//  - it begins with ~, and the working directory has no entry of that name.
// Not judged: words that the program takes as text (validate/argument/argument_kind.h), values that
// `env` sets, and command lines that begin with a program's path, as a shell gets them. What code
// does with paths (sed's `w`, redirections of a shell) is left to the kernel.
//
// Relative paths start from the working directory; those of git start from its -C directory.
//
// A path is located, links and `..` included, and judged by where it leads. In every confined tier
// it must not
//  - be refused by `arguments.refuse_paths` (path.refused);
//  - lie at or below a `workspace.hide` entry (path.hidden);
//  - fail to be looked up (path.unresolvable).
// In tier b it must also lie in the scope (path.outside_scope), or be a harmless device, or be a
// program on the trusted path, which validate/program/executable.h judges. A value inside a word
// (`-I/usr/include`, `PREFIX=/usr`) may also be one of the system's paths
// (ValidationContext::system): builds name them, and tier b opens them for reading only.
#pragma once

#include <string>
#include <vector>

#include "request/request.h"
#include "validate/scope.h"
#include "validate/validate.h"
#include "validate/violation.h"

namespace bawn {

struct Policy;

// Judges `words`, the request's args, and appends to `violations`: at most one violation per word,
// for its first candidate that has one. `cwd` is empty for a private workspace. `context.lookup`
// takes guest paths.
void judge_paths(const Policy& policy, const Request& request,
                 const std::vector<std::string>& words, const Scope& scope, const Located& cwd,
                 const ValidationContext& context, Violations& violations);

}  // namespace bawn
