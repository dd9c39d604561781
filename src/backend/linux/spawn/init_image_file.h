// The init executable as a memfd that can be passed to execveat().
#pragma once

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// The caller owns the descriptor, which is close-on-exec. Each call makes a new memfd. The error
// says so if the sysctl vm.memfd_noexec forbids an executable memfd.
[[nodiscard]] Result<Fd> make_init_image();

}  // namespace bawn::linux_
