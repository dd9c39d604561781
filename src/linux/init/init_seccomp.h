// Init's own seccomp filter: once the command runs, pid 1 has only to wait, kill, reap, count and
// report.
#pragma once

namespace bawn::init {

// For good, and seen to work: 0 or a negative errno.
[[nodiscard]] long confine_init();

}  // namespace bawn::init
