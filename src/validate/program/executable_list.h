// The files that a policy with a list of programs lets the kernel execute.
//
// The validator judges how a command is spelled; this list is for the kernel, which does not read
// spellings. It has each program of `executables.allow` that exists and is not blocked, what the
// kernel opens to start it (its loader; for a script whose interpreter needs no entry, the
// interpreter), what belongs to it by its row (programs/), and the program of the request.
//
// A program that the run could have made, or that a link of the run's leads to, is left out: the
// next run would execute what this one wrote. `executables.from_workspace` permits it.
#pragma once

#include <string>
#include <vector>

#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

struct ExecutablesPolicy;
struct Program;

struct AllowedFile {
  enum class Why {
    program,      // on the list, or the request's
    loader,       // named by a program as its ELF interpreter
    interpreter,  // named by a script
    helper,       // belongs to a program; can be a directory, whose files may all be executed
  };
  Located file;
  Why why = Why::program;
  std::string of;  // the entry of the list that it is there for; "" for the request's program
};

struct ExecutableList {
  std::vector<AllowedFile> files;  // each file once
};

// "program", "loader", "interpreter" or "helper".
[[nodiscard]] std::string_view to_string(AllowedFile::Why why);

// `program` is the judged program of the request; its file may be empty. Reports each listed
// program that has not the content that the policy pins. A listed name that does not exist is no
// violation.
[[nodiscard]] ExecutableList list_executables(const ExecutablesPolicy& policy, const Scope& scope,
                                              const Program& program, const PathLookup& lookup,
                                              Violations& violations);

}  // namespace bawn
