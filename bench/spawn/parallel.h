// Runs a function many times in several threads, and measures the time.
//
// The time includes starting and joining the threads.
#pragma once

#include <functional>

#include "bench/spawn/launcher.h"

namespace bawn::bench {

// Stops when `count` calls are done or one has failed; returns that error.
[[nodiscard]] Result<Elapsed> time_parallel(unsigned parallel, unsigned count,
                                            const std::function<Result<void>()>& once);

}  // namespace bawn::bench
