#include "bench/spawn/quantiles.h"

#include <algorithm>
#include <cstddef>

namespace bawn::bench {
namespace {

// The smallest value v such that at least `percent` percent of all values are <= v.
double at_rank(const std::vector<double>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

Quantiles quantiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {.p50 = at_rank(values, 50), .p95 = at_rank(values, 95), .p99 = at_rank(values, 99)};
}

}  // namespace bawn::bench
