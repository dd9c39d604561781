#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/spawn/report.h"
#include "json/print.h"
#include "policy/text/names.h"

namespace bawn::bench {
namespace {

using Json = nlohmann::ordered_json;

// Rounded to a tenth of a microsecond; the measurements are less exact than that.
Json number(std::optional<double> value) {
  return value ? Json(std::round(*value * 10000) / 10000) : Json();
}

Json throughput_of(const Report& report, const Row& row) {
  Json out = Json::array();
  for (const Throughput& at : row.throughput) {
    out.push_back({{"parallel", at.parallel},
                   {"per_second", number(at.per_second)},
                   {"x_bwrap", number(ratio_of_throughput(report, at, kRival))}});
  }
  return out;
}

Json launcher_of(const Report& report, const Row& row) {
  return {{"name", row.name},
          {"isolation", row.isolation},
          {"p50_ms", number(row.ms.p50)},
          {"p95_ms", number(row.ms.p95)},
          {"p99_ms", number(row.ms.p99)},
          {"x_posix_spawn", number(ratio_of_medians(report, row, kBaseline))},
          {"x_bwrap", number(ratio_of_medians(report, row, kRival))},
          {"peak_rss_kib", row.peak_rss_kib ? Json(*row.peak_rss_kib) : Json()},
          {"throughput", throughput_of(report, row)}};
}

}  // namespace

std::string report_json(const Report& report) {
  Json out = {{"schema", "bawn.bench.spawn.v1"},
              {"host", report.host},
              {"user", report.user},
              {"command", report.command},
              {"tier", to_string(report.tier)},
              {"runs", report.runs},
              {"launchers", Json::array()},
              {"left_out", Json::array()}};
  for (const Row& row : report.rows) out["launchers"].push_back(launcher_of(report, row));
  for (const LeftOut& left_out : report.left_out) {
    out["left_out"].push_back({{"name", left_out.name}, {"reason", left_out.reason}});
  }
  return json::visible_json(out);
}

}  // namespace bawn::bench
