#include "bench/spawn/bare_namespaces.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/text.h"
#include "sys/call.h"

namespace bawn::bench {
namespace {

constexpr int kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
                            CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

struct CloneArguments {
  const std::string& program;
  const BareRoot* root;
  int error;  // errno of a step before or of the exec
};

// Runs in the memory of the waiting caller (CLONE_VM | CLONE_VFORK). Until the exec it may change
// only its stack and `error`.
int become(void* argument) {
  auto& arguments = *static_cast<CloneArguments*>(argument);
  arguments.error = arguments.root == nullptr ? 0 : enter_bare_root(*arguments.root);
  if (arguments.error != 0) _exit(127);
  std::array<char*, 2> argv = {const_cast<char*>(arguments.program.c_str()), nullptr};
  execve(argv[0], argv.data(), environ);
  arguments.error = errno;
  _exit(127);
}

}  // namespace

Result<void> run_in_bare_namespaces(const std::string& program, const BareRoot* root) {
  alignas(16) std::array<char, 32768> stack{};
  CloneArguments arguments{.program = program, .root = root, .error = 0};
  BAWN_ASSIGN(const int child, sys::checked("clone with new namespaces", [&] {
                return clone(become, stack.data() + stack.size(),
                             CLONE_VM | CLONE_VFORK | kNamespaces | SIGCHLD, &arguments);
              }));
  int status = 0;
  BAWN_TRY(sys::checked("waitpid", [&] { return waitpid(child, &status, 0); }));
  if (arguments.error != 0) return system_error(arguments.error, "in bare namespaces");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return invalid_error(concat("wait status ", status));
}

}  // namespace bawn::bench
