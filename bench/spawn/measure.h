// Runs the measurement: every launcher once in each round, so that other load on the machine
// affects all of them alike.
#pragma once

#include <vector>

#include "bench/spawn/field.h"
#include "bench/spawn/report.h"

namespace bawn::bench {

// How much to measure: single runs per launcher, and degrees of parallelism for throughput.
struct Effort {
  unsigned runs = 200;
  std::vector<unsigned> parallel = {1, 2, 8};
};

// A launcher that fails meanwhile is moved to `left_out` with the reason; its figures are dropped.
[[nodiscard]] Report measure(Field field, const Effort& effort);

}  // namespace bawn::bench
