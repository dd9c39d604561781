#include "validate/working_directory.h"

#include "base/text.h"
#include "policy/text/hint.h"

namespace bawn {
namespace {

void refuse_cwd(Violations& violations, std::string_view cwd, std::string code, std::string message,
                std::string_view hint) {
  violations.push_back({std::move(code), std::string(cwd), std::move(message), std::string(hint)});
}

// A private workspace starts empty, so only its root can be the working directory.
void judge_private_cwd(std::string_view cwd, Violations& violations) {
  int depth = 0;
  bool leaves = cwd.starts_with('/');
  for (const std::string_view part : split(cwd, '/')) {
    if (part == "..") {
      --depth;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    leaves = leaves || depth < 0;
  }
  if (leaves) {
    refuse_cwd(violations, cwd, "cwd.outside_scope",
               concat("the working directory ", quote(cwd), " lies outside the private workspace"),
               "leave cwd out");
  } else if (depth > 0) {
    refuse_cwd(violations, cwd, "cwd.missing",
               concat("the working directory ", quote(cwd),
                      " does not exist: a private workspace starts empty"),
               "leave cwd out");
  }
}

}  // namespace

void judge_workspace(std::string_view workspace, const Located& located, Violations& violations) {
  if (workspace.empty()) return;
  if (located.kind == FileKind::missing || !located.error.empty()) {
    violations.push_back(
        {"workspace.missing", std::string(workspace),
         concat("the workspace ", quote(workspace),
                located.error.empty() ? " does not exist"
                                      : concat(" cannot be looked up: ", located.error)),
         "name an existing directory: --workspace DIR (policy key: workspace.root)"});
  } else if (located.kind != FileKind::directory) {
    violations.push_back({"workspace.not_a_directory", std::string(workspace),
                          concat("the workspace ", quote(workspace), " is not a directory"),
                          "name a directory: --workspace DIR (policy key: workspace.root)"});
  }
}

Located judge_cwd(std::string_view cwd, const Located& workspace, const Scope& scope, Tier tier,
                  const PathLookup& lookup, Violations& violations) {
  if (workspace.path.empty()) {
    judge_private_cwd(cwd, violations);
    return {};
  }
  if (cwd.empty()) return workspace;
  const bool absolute = cwd.starts_with('/');
  const std::string root = workspace.path == "/" ? "" : workspace.path;
  Located located = lookup.locate(absolute ? std::string(cwd) : concat(root, "/", cwd));
  // The scope is checked first: a request must not learn whether a directory outside of it exists.
  if (!located.error.empty()) {
    refuse_cwd(violations, cwd, "cwd.outside_scope",
               concat("bawn cannot tell where the working directory ", quote(cwd),
                      " leads: ", located.error),
               "use a directory of the workspace");
  } else if (tier != Tier::unconfined && !scope.can_read(located.path)) {
    refuse_cwd(violations, cwd, "cwd.outside_scope",
               concat("the working directory ", quote(cwd), " leads to ", quote(located.path),
                      ", outside of what the policy grants"),
               concat("use a directory of the workspace, or ", grant_hint(located.path)));
  } else if (located.kind == FileKind::missing) {
    refuse_cwd(violations, cwd, "cwd.missing",
               concat("the working directory ", quote(cwd), " does not exist"),
               "a relative cwd is taken from the workspace");
  } else if (located.kind != FileKind::directory) {
    refuse_cwd(violations, cwd, "cwd.not_a_directory",
               concat("the working directory ", quote(cwd), " is not a directory"),
               "name a directory");
  }
  return located;
}

}  // namespace bawn
