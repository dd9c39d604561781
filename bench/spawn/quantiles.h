// Median and tail of a set of measurements, in the unit of the values.
#pragma once

#include <vector>

namespace bawn::bench {

struct Quantiles {
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
  bool operator==(const Quantiles&) const = default;
};

// By nearest rank: each figure is a measured value, none is interpolated. All zero if there are no
// values.
[[nodiscard]] Quantiles quantiles_of(std::vector<double> values);

}  // namespace bawn::bench
