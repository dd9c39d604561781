// Judges the command of a request: which file would run, and whether the policy lets it.
//
// The order of the checks, for the command itself and again for every command that it would start:
//
//  1. Resolution. A bare name is looked for on a fixed list of trusted directories, anything with
//     '/' from the working directory; links are followed to the file. (executable.not_found;
//     executable.not_executable, also for a path that cannot be looked at)
//  2. Never allowed, whatever the policy says: raising privileges or leaving the run (sudo, su,
//     systemd-run; executable.privilege_escalation) and killing by name (pkill, `kill firefox`;
//     executable.kill_by_name).
//  3. `executables.block`, by name in any directory and by the file's identity.
//     (executable.blocked)
//  4. `executables.allow`, by the file's identity; a file that serves many names (busybox) also by
//     the name. (executable.not_allowed)
//  5. A program in a place the run can write needs `from_workspace`. (executable.from_workspace)
//  6. `executables.sha256`: a pinned file must have the pinned content.
//     (executable.digest_mismatch) One that the caller cannot read is refused unless it is root's:
//     nobody could tell what 3, 7 and 8 ask. (executable.unreadable)
//  7. A script is replaced by its interpreter as the kernel would do it, and the interpreter is
//     judged from 1. It needs no entry of its own on the allow list if the script has one.
//  8. Programs that run code given to them need `interpreters`: by name, version, link, hard link
//     or copy. (executable.interpreter, and executable.inline_code if the code stands in an
//     argument)
//  9. Launchers (env, nice, xargs, find -exec, busybox ...) and arguments that start commands (tar
//     --to-command, git -c ...): the inner command is judged from 1; one that cannot be told from
//     the words is refused. (executable.launcher, executable.inline_code)
// 10. Text that reaches a shell is searched for `arguments.refuse_patterns`
//     (executable.shell_pattern), and the programs it starts are judged by 2 and 3. They are not
//     judged by the allow list: where interpreters are allowed, the interpreter is what is
//     restricted, and what a shell computes at run time nobody can read beforehand.
//
// In tier `unconfined` only 1, 3, 6 and the patterns of 10 apply.
#pragma once

#include "policy/policy.h"
#include "request/request.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/validate.h"
#include "validate/violation.h"

namespace bawn {

// The program that would be exec'd, as far as it could be found; it may run only if `violations`
// stays empty.
[[nodiscard]] Program judge_executable(const Policy& policy, const Request& request,
                                       const Scope& scope, const Located& cwd,
                                       const ValidationContext& context, Violations& violations);

}  // namespace bawn
