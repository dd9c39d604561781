// Insurance for cgroups: a process that removes them when this one is gone (keeper/sweeper.h).
//
// Like the keeper it is this process's child and works in any program and thread. It does nothing while bawn lives; a run
// that ends in order removes its cgroups itself, and the sweeper finds nothing left to do.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn {

class Sweeper {
 public:
  // Before the first of the directories is made.
  [[nodiscard]] static Result<Sweeper> start(const std::vector<std::string>& directories);

  Sweeper(Sweeper&&) = default;
  Sweeper& operator=(Sweeper&&) = delete;
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;
  // Lets it go on, and waits for it unless there is something that cannot be removed yet: it stays for that.
  ~Sweeper();

 private:
  Sweeper(Fd pipe, Fd process) : pipe_(std::move(pipe)), process_(std::move(process)) {}

  Fd pipe_;     // its end is the sweeper's sign
  Fd process_;  // pidfd
};

}  // namespace bawn
