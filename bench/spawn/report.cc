#include "bench/spawn/report.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace bawn::bench {
namespace {

std::optional<double> ratio(double value, double to) {
  if (to <= 0) return std::nullopt;
  return value / to;
}

}  // namespace

const Row* Report::find(std::string_view name) const {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::optional<double> ratio_of_medians(const Report& report, const Row& row, std::string_view to) {
  const Row* measure = report.find(to);
  if (measure == nullptr) return std::nullopt;
  return ratio(row.ms.p50, measure->ms.p50);
}

std::optional<double> ratio_of_throughput(const Report& report, const Throughput& of,
                                          std::string_view to) {
  const Row* measure = report.find(to);
  if (measure == nullptr) return std::nullopt;
  for (const Throughput& theirs : measure->throughput) {
    if (theirs.parallel == of.parallel) return ratio(of.per_second, theirs.per_second);
  }
  return std::nullopt;
}

std::string decimal(double value, unsigned places) {
  long long unit = 1;
  for (unsigned i = 0; i < places; ++i) unit *= 10;
  const long long scaled = std::llround(value * static_cast<double>(unit));
  std::string digits = std::to_string(scaled % unit);
  digits.insert(0, places - std::min<std::size_t>(places, digits.size()), '0');
  return places == 0 ? std::to_string(scaled) : concat(scaled / unit, ".", digits);
}

}  // namespace bawn::bench
