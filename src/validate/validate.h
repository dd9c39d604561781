// The validator: Policy + Request -> Verdict, with every violation at once.
//
// It changes nothing and is the same on every system. It sees files only through PathLookup, and
// the caller's environment only through `caller_env`. The verdict holds the program and the working
// directory as open files. The launcher uses those files, or in tier c files with the same device
// and inode.
//
// The validator explains early what would fail; it does not confine. It reads names and words, and
// a program can do things that its words do not show. Confinement is the kernel's part.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/tier.h"
#include "request/request.h"
#include "validate/lookup.h"
#include "validate/program/executable_list.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

struct Policy;

// One look at the workspace, and the scope that follows from it.
struct WorkspaceScope {
  Located workspace;  // empty for a private one
  Scope scope;
};
[[nodiscard]] WorkspaceScope look_at_workspace(const Policy& policy, std::string_view workspace,
                                               const PathLookup& lookup);

// What the validator needs besides policy and request.
struct ValidationContext {
  Tier tier = Tier::b;
  const PathLookup* lookup = nullptr;  // borrowed, never null in use; takes host paths
  std::string workspace;  // absolute host path, from policy, flag or current directory;
                          // "" for a private one
  std::string home{};     // the caller's home directory, canonical; "" if it has none
  // The paths of the system that every run may read; on Linux without those of which tier c has its
  // own version. Borrowed: the caller keeps their text.
  std::vector<std::string_view> system{};
  // Directories in which a bare command name is looked for before the trusted path; canonical. They
  // come from the caller's PATH, as far as the policy accepts it.
  std::vector<std::string> search{};
  // The kernel will enforce executables.allow, so Verdict::executables is wanted.
  bool lists_executables = false;
  // The look at `workspace`, if it was taken already; otherwise validate() takes it.
  std::optional<WorkspaceScope> looked{};
  // Reads the caller's environment; asked only for names in environment.pass. May be empty.
  std::function<std::optional<std::string>(std::string_view)> caller_env;
};

// The program that execve() will get. For a script this is the interpreter, as the kernel would
// choose it, so that the checked file is the executed one.
struct Program {
  Located file;
  std::vector<std::string> argv;  // argv[0]: the command as spelled, or a script's interpreter
  std::vector<Located> scripts;   // the interpreter opens these by name, so they must be readable
};

// The result. `program`, `workspace` and `cwd` may be empty or incomplete if there are violations.
struct Verdict {
  Violations violations;
  Program program;
  Located workspace;
  Scope scope;
  Located cwd;
  std::vector<std::string> environment;  // "KEY=value", sorted
  std::vector<std::string> passed;  // names of environment.pass for which the caller has a value
  // What the kernel shall let the run execute; none if every program may run.
  std::optional<ExecutableList> executables{};

  [[nodiscard]] bool allowed() const { return violations.empty(); }
};

// Judges everything and reports every violation that it finds. A private workspace leaves
// `workspace` and `cwd` empty. The caller must ask context.lookup->shortage() afterwards: if a
// look-up ran out of descriptors or memory, the verdict is void.
[[nodiscard]] Verdict validate(const Policy& policy, const Request& request,
                               const ValidationContext& context);

}  // namespace bawn
