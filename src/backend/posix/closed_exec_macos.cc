#include <spawn.h>
#include <unistd.h>

#include "backend/posix/closed_exec.h"

namespace bawn::posix {

struct ClosedExec::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (attributes != nullptr) posix_spawnattr_destroy(&attributes);
    if (actions != nullptr) posix_spawn_file_actions_destroy(&actions);
  }

  posix_spawnattr_t attributes = nullptr;
  posix_spawn_file_actions_t actions = nullptr;
};

// With POSIX_SPAWN_SETEXEC posix_spawn replaces the calling process, as execve does.
Result<ClosedExec> ClosedExec::prepare() {
  auto state = std::make_shared<State>();
  int error = posix_spawnattr_init(&state->attributes);
  if (error == 0) {
    error = posix_spawnattr_setflags(
        &state->attributes, static_cast<short>(POSIX_SPAWN_SETEXEC | POSIX_SPAWN_CLOEXEC_DEFAULT));
  }
  if (error == 0) error = posix_spawn_file_actions_init(&state->actions);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; ++fd)
    error = posix_spawn_file_actions_addinherit_np(&state->actions, fd);
  if (error != 0) return system_error(error, "prepare posix_spawn");
  return ClosedExec(std::move(state));
}

int ClosedExec::run(const char* program, char* const* argv, char* const* environment) const {
  return posix_spawn(nullptr, program, &state_->actions, &state_->attributes, argv, environment);
}

}  // namespace bawn::posix
