// execve that leaves only descriptors 0, 1 and 2 open.
//
// prepare() runs before fork and may allocate. run() runs in the child: it allocates nothing and
// takes no lock, so it is safe after the fork of a threaded program.
#pragma once

#include <memory>

#include "base/result.h"

namespace bawn::posix {

class ClosedExec {
 public:
  [[nodiscard]] static Result<ClosedExec> prepare();

  // Returns only if it failed, with the errno.
  [[nodiscard]] int run(const char* program, char* const* argv, char* const* environment) const;

 private:
  struct State;  // depends on the system; null where nothing is needed
  explicit ClosedExec(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace bawn::posix
