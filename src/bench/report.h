// The figures of one measurement, and the three forms in which they are told.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/field.h"
#include "bench/quantiles.h"

namespace bawn::bench {

struct Throughput {
  unsigned parallel = 1;
  double per_second = 0;
};

struct Row {
  std::string name;
  std::string isolation;
  Quantiles ms;
  std::optional<long> peak_rss_kib;
  std::vector<Throughput> throughput;
};

struct Report {
  std::string host;  // "Linux 6.1.0 x86_64, 2 CPUs"
  std::string user;  // "root" or "ordinary user"
  std::string command;
  Tier tier = Tier::c;  // the one bawn ran in
  unsigned runs = 0;
  std::vector<Row> rows;
  std::vector<LeftOut> left_out;

  // Null if it did not take part.
  [[nodiscard]] const Row* find(std::string_view name) const;
};

// A table for people; what was left out stands below it.
[[nodiscard]] std::string report_table(const Report& report);

// One line, "bawn.bench.spawn.v1"; a figure that does not exist is null.
[[nodiscard]] std::string report_json(const Report& report);

// A bar for each median. Readable on light and dark pages, and without any font but the reader's.
[[nodiscard]] std::string report_svg(const Report& report);

// How many times the median or the throughput of `to` it is; empty if that one did not take part.
[[nodiscard]] std::optional<double> ratio_of_medians(const Report& report, const Row& row,
                                                     std::string_view to);
[[nodiscard]] std::optional<double> ratio_of_throughput(const Report& report, const Throughput& of,
                                                        std::string_view to);

// "4.20": rounded, with exactly `places` digits behind the point.
[[nodiscard]] std::string decimal(double value, unsigned places);

}  // namespace bawn::bench
