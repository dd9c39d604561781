#include <unistd.h>

#include <utility>

#include "posix/closed_exec.h"

namespace bawn::posix {

Result<ClosedExec> ClosedExec::prepare() {
  ClosedExec made;
  int error = posix_spawnattr_init(&made.attributes_);
  if (error == 0) {
    error = posix_spawnattr_setflags(&made.attributes_,
                                     static_cast<short>(POSIX_SPAWN_SETEXEC | POSIX_SPAWN_CLOEXEC_DEFAULT));
  }
  if (error == 0) error = posix_spawn_file_actions_init(&made.actions_);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; ++fd)
    error = posix_spawn_file_actions_addinherit_np(&made.actions_, fd);
  if (error != 0) return system_error(error, "prepare posix_spawn");
  return made;
}

ClosedExec::ClosedExec(ClosedExec&& other) noexcept
    : attributes_(std::exchange(other.attributes_, nullptr)),
      actions_(std::exchange(other.actions_, nullptr)) {}

ClosedExec::~ClosedExec() {
  if (attributes_ != nullptr) posix_spawnattr_destroy(&attributes_);
  if (actions_ != nullptr) posix_spawn_file_actions_destroy(&actions_);
}

// With POSIX_SPAWN_SETEXEC it replaces the calling process, as execve does.
int ClosedExec::run(const char* program, char* const* argv, char* const* environment) const {
  return posix_spawn(nullptr, program, &actions_, &attributes_, argv, environment);
}

}  // namespace bawn::posix
