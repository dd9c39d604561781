// The figures of one measurement, and their three output formats: table, JSON, SVG.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/spawn/field.h"
#include "bench/spawn/quantiles.h"

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
  Tier tier = Tier::c;  // the tier that bawn ran in
  unsigned runs = 0;
  std::vector<Row> rows;
  std::vector<LeftOut> left_out;

  // Borrowed from this report; null if that launcher did not take part.
  [[nodiscard]] const Row* find(std::string_view name) const;
};

// A table for people; launchers that were left out are listed below it.
[[nodiscard]] std::string report_table(const Report& report);

// One line of JSON, schema "bawn.bench.spawn.v1"; a missing figure is null.
[[nodiscard]] std::string report_json(const Report& report);

// A bar for each median. Readable on light and dark pages; it uses the reader's fonts only.
[[nodiscard]] std::string report_svg(const Report& report);

// The median or throughput as a multiple of that of `to`; empty if `to` did not take part.
[[nodiscard]] std::optional<double> ratio_of_medians(const Report& report, const Row& row,
                                                     std::string_view to);
[[nodiscard]] std::optional<double> ratio_of_throughput(const Report& report, const Throughput& of,
                                                        std::string_view to);

// "4.20": rounded to exactly `places` decimal places.
[[nodiscard]] std::string decimal(double value, unsigned places);

}  // namespace bawn::bench
