// execve with nothing open but 0, 1 and 2.
//
// Prepared before a fork and run after it: run() allocates nothing and takes no lock.
#pragma once

#include <memory>

#include "base/result.h"

namespace bawn::posix {

class ClosedExec {
 public:
  [[nodiscard]] static Result<ClosedExec> prepare();

  // Returns only if it failed: errno.
  [[nodiscard]] int run(const char* program, char* const* argv, char* const* environment) const;

 private:
  struct State;  // each system's own; null where it has none
  explicit ClosedExec(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace bawn::posix
