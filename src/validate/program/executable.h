// Judges the command of a request: which file would run, and whether the policy allows it.
//
// The checks in order, for the command itself and again for every command that it would start:
//
//  1. Resolution. A bare name is looked for in a fixed list of directories; a name with '/' is
//     taken from the working directory. Links are followed to the file. (executable.not_found;
//     executable.not_executable, also for a path that cannot be looked up)
//  2. Never allowed, whatever the policy says: raising privileges or leaving the run (sudo, su,
//     systemd-run; executable.privilege_escalation) and killing by name (pkill, `kill firefox`;
//     executable.kill_by_name).
//  3. `executables.block`: by name in any directory, and by the file's identity.
//     (executable.blocked)
//  4. `executables.allow`: by the file's identity. A file that serves many names (busybox) must
//     match by name too. (executable.not_allowed)
//  5. A program in a directory that the run can write to needs `from_workspace`.
//     (executable.from_workspace)
//  6. `executables.sha256`: a pinned file must have the pinned content.
//     (executable.digest_mismatch) A file that the caller cannot read is refused unless root owns
//     it, because checks 3, 7 and 8 need its content. (executable.unreadable)
//  7. A script is replaced by its interpreter, as the kernel does it, and the interpreter is judged
//     from 1. If `interpreters` is set, an interpreter that a script names needs no entry in the
//     allow list.
//  8. A program that runs code given to it needs `interpreters`. It is recognised by name, version,
//     link, hard link or copy. (executable.interpreter, or executable.inline_code if the code is in
//     an argument)
//  9. Launchers (env, nice, xargs, find -exec, busybox ...) and arguments that start commands (tar
//     --to-command, git -c ...): the inner command is judged from 1. It is refused if the words do
//     not tell which command it is. (executable.launcher, executable.inline_code)
// 10. Text that reaches a shell is searched for `arguments.refuse_patterns`
//     (executable.shell_pattern), and the programs that it starts are judged by 2 and 3. They are
//     not judged by the allow list: a shell can compute a command at run time, so the words do not
//     show every command. Where interpreters are allowed, the sandbox restricts what they do.
//
// Tier `unconfined` skips 2, 4, 5 and 8, and the refusals executable.unreadable,
// executable.launcher and executable.inline_code. The rest applies there too, also to inner
// commands.
#pragma once

#include "request/request.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/validate.h"
#include "validate/violation.h"

namespace bawn {

struct Policy;

// The program that execve() would get, as far as it was found. It may run only if `violations`
// stays empty. All parameters are borrowed for the call; the result shares the open file.
[[nodiscard]] Program judge_executable(const Policy& policy, const Request& request,
                                       const Scope& scope, const Located& cwd,
                                       const ValidationContext& context, Violations& violations);

}  // namespace bawn
