// The validator: Policy + Request -> Verdict, with every violation at once.
//
// Pure apart from look-ups through PathLookup. The same on every system. What it resolved (the
// program, the working directory) stays in the verdict as open files, and the launcher uses exactly
// those.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "request/request.h"
#include "validate/lookup.h"
#include "validate/violation.h"

namespace bawn {

// What the validator must know besides policy and request.
struct ValidationContext {
  Tier tier = Tier::b;
  const PathLookup* lookup = nullptr;
  std::string workspace;  // absolute; already chosen from policy, flag or current directory. "" for
                          // a private one
  std::string home{};     // the caller's, canonical; "" if it has none
  // Trees of the system that a run in tier c sees where they are.
  std::vector<std::string> system{};
  // Directories in which a bare name is looked for before the system's own; canonical.
  std::vector<std::string> search{};
  // The caller's environment, asked only for names on the policy's `pass` list.
  std::function<std::optional<std::string>(std::string_view)> caller_env;
};

// The program that will really be exec'd. For a script this is its interpreter, as the kernel would
// do it, so that the checked file is the executed one.
struct Program {
  Located file;
  std::vector<std::string> argv;  // argv[0] as the caller spelled the command, then everything else
  std::vector<Located>
      scripts;  // what the interpreter will open by name: it must be able to read them
};

struct Verdict {
  Violations violations;
  Program program;
  Located workspace;
  Located cwd;
  std::vector<std::string> environment;  // "KEY=value", sorted
  std::vector<std::string> passed;       // names of environment.pass that the caller has

  [[nodiscard]] bool allowed() const { return violations.empty(); }
};

[[nodiscard]] Verdict validate(const Policy& policy, const Request& request,
                               const ValidationContext& context);

}  // namespace bawn
