// Init's program as a file in memory, for whoever executes it.
#pragma once

#include "base/result.h"
#include "sys/fd.h"

namespace bawn {

[[nodiscard]] Result<Fd> make_init_image();

}  // namespace bawn
