#include <algorithm>

#include "base/text.h"
#include "bench/spawn/report.h"
#include "policy/text/names.h"

namespace bawn::bench {
namespace {

using Cells = std::vector<std::string>;

std::string times(std::optional<double> ratio) {
  return ratio ? concat(decimal(*ratio, 2), "x") : "-";
}

Cells head_of(const Report& report) {
  Cells cells = {"launcher",           "p50 ms",      "p95 ms", "p99 ms", concat("x ", kBaseline),
                 concat("x ", kRival), "peak RSS KiB"};
  if (!report.rows.empty()) {
    for (const Throughput& at : report.rows.front().throughput)
      cells.push_back(concat("runs/s by ", at.parallel));
  }
  cells.emplace_back("isolation");
  return cells;
}

Cells cells_of(const Report& report, const Row& row) {
  Cells cells = {row.name,
                 decimal(row.ms.p50, 2),
                 decimal(row.ms.p95, 2),
                 decimal(row.ms.p99, 2),
                 times(ratio_of_medians(report, row, kBaseline)),
                 times(ratio_of_medians(report, row, kRival)),
                 row.peak_rss_kib ? std::to_string(*row.peak_rss_kib) : "-"};
  for (const Throughput& at : row.throughput) {
    const auto ratio = ratio_of_throughput(report, at, kRival);
    cells.push_back(
        concat(decimal(at.per_second, 0), ratio ? concat(" (", times(ratio), ")") : ""));
  }
  cells.push_back(row.isolation);
  return cells;
}

// The first and last columns are text and left-aligned; the others are numbers and right-aligned.
std::string aligned(const std::vector<Cells>& table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const Cells& cells : table) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string out;
  for (const Cells& cells : table) {
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
      const std::string padding(widths[i] - cells[i].size(), ' ');
      out += i == 0 ? concat(cells[i], padding) : concat(padding, cells[i]);
      out += "  ";
    }
    out += concat(cells.back(), "\n");
  }
  return out;
}

}  // namespace

std::string report_table(const Report& report) {
  std::vector<Cells> table = {head_of(report)};
  for (const Row& row : report.rows) table.push_back(cells_of(report, row));
  std::string out = concat(report.host, ", ", report.user, "; ", report.runs, " rounds of ",
                           quote(report.command), "; bawn in tier ", to_string(report.tier), "\n\n",
                           aligned(table), "\n");
  for (const LeftOut& left_out : report.left_out)
    out += concat(left_out.name, ": ", left_out.reason, "\n");
  out +=
      "Each round starts every launcher once. Peak RSS: the largest process of a run, launcher or "
      "command.\n";
  if (report.find(kRival) != nullptr)
    out += concat("In brackets: the throughput as a multiple of ", kRival, "'s.\n");
  return out;
}

}  // namespace bawn::bench
