// The same thing done many times by several threads.
#pragma once

#include <functional>

#include "bench/launcher.h"

namespace bawn::bench {

// Until `count` are done or one has failed; its error is returned.
[[nodiscard]] Result<Elapsed> time_parallel(unsigned parallel, unsigned count,
                                            const std::function<Result<void>()>& once);

}  // namespace bawn::bench
