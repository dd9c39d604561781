// Measures the kernel's own cost of a program in new namespaces. No launcher that makes the same
// namespaces can be faster.
//
// One clone with every namespace that bawn and `bwrap --unshare-all` make, then exec and wait. No
// id maps, mounts, loopback or seccomp filter, unless a root is given. This is a measurement, not a
// sandbox.
#pragma once

#include <string>

#include "base/result.h"
#include "bench/spawn/bare_root.h"

namespace bawn::bench {

// An error unless the program exits with 0. `root` is borrowed; null: namespaces only.
[[nodiscard]] Result<void> run_in_bare_namespaces(const std::string& program,
                                                  const BareRoot* root = nullptr);

}  // namespace bawn::bench
