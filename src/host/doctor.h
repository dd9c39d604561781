// Everything that bawn needs of a host, tried out. Takes some ten milliseconds and leaves nothing
// behind.
//
// For the command line only, in a program with one thread. A run never asks this: it does what its
// plan says and fails where the host refuses.
#pragma once

#include "host/check_result.h"

namespace bawn {

[[nodiscard]] CheckResults examine_host();

}  // namespace bawn
