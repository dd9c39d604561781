#include "bench/bare_namespaces.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/text.h"
#include "sys/call.h"

namespace bawn::bench {
namespace {

constexpr int kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// In the caller's memory, which waits: until the exec nothing may be changed there but this stack.
int become(void* program) {
  std::array<char*, 2> argv = {static_cast<char*>(program), nullptr};
  execve(argv[0], argv.data(), environ);
  _exit(127);
}

}  // namespace

Result<void> run_in_bare_namespaces(const std::string& program) {
  alignas(16) std::array<char, 16384> stack{};
  BAWN_ASSIGN(const int child, sys::checked("clone with new namespaces", [&] {
                return clone(become, stack.data() + stack.size(),
                             CLONE_VM | CLONE_VFORK | kNamespaces | SIGCHLD,
                             const_cast<char*>(program.c_str()));
              }));
  int status = 0;
  BAWN_TRY(sys::checked("waitpid", [&] { return waitpid(child, &status, 0); }));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return invalid_error(concat("wait status ", status));
}

}  // namespace bawn::bench
