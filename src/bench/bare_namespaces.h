// What the kernel alone takes for a program in namespaces of its own: no launcher that gives it the
// same ones can be faster.
//
// One clone with every namespace that bawn and `bwrap --unshare-all` make, exec, wait. No ids, no
// mounts, no loopback, no filter, unless a root is given: a measure, and no sandbox.
#pragma once

#include <string>

#include "base/result.h"
#include "bench/bare_root.h"

namespace bawn::bench {

// An error unless the program ends with exit code 0.
[[nodiscard]] Result<void> run_in_bare_namespaces(const std::string& program,
                                                  const BareRoot* root = nullptr);

}  // namespace bawn::bench
