// execve with nothing open but 0, 1 and 2.
//
// Prepared before a fork and run after it: run() allocates nothing and takes no lock.
#pragma once

#include "base/result.h"

#if defined(__APPLE__)
#include <spawn.h>
#endif

namespace bawn::posix {

class ClosedExec {
 public:
  [[nodiscard]] static Result<ClosedExec> prepare();
  ClosedExec(ClosedExec&&) noexcept;
  ClosedExec& operator=(ClosedExec&&) = delete;
  ~ClosedExec();

  // Returns only if it failed: errno.
  [[nodiscard]] int run(const char* program, char* const* argv, char* const* environment) const;

 private:
  ClosedExec() = default;
#if defined(__APPLE__)
  posix_spawnattr_t attributes_ = nullptr;
  posix_spawn_file_actions_t actions_ = nullptr;
#endif
};

}  // namespace bawn::posix
