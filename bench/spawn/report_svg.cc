#include <algorithm>

#include "base/text.h"
#include "bench/spawn/report.h"
#include "policy/text/names.h"

namespace bawn::bench {
namespace {

constexpr unsigned kWidth = 720;
constexpr unsigned kLabelEnd = 190;
constexpr unsigned kBarStart = 200;
constexpr unsigned kLongestBar = 340;  // leaves room for the figures beside it
constexpr unsigned kTop = 56;
constexpr unsigned kRowHeight = 26;
constexpr unsigned kBarHeight = 16;

constexpr std::string_view kStyle = R"(<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.note { fill: #57606a; font-size: 12px }
.bar { fill: #afb8c1 }
.ours { fill: #1a7f5a }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.note { fill: #9198a1 }
.bar { fill: #57606a }
.ours { fill: #3fb98a }
}
</style>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '<')
      out += "&lt;";
    else if (letter == '&')
      out += "&amp;";
    else
      out += letter;
  }
  return out;
}

std::string figures_of(const Report& report, const Row& row) {
  const auto ratio = ratio_of_medians(report, row, kRival);
  return concat(decimal(row.ms.p50, 2), " ms",
                ratio && row.name != kRival ? concat(" · ", decimal(*ratio, 2), "x ", kRival) : "");
}

std::string bar(const Report& report, const Row& row, double longest, unsigned top) {
  const double share = longest > 0 ? row.ms.p50 / longest : 0;
  const std::string width = decimal(std::max(1.0, share * kLongestBar), 1);
  const std::string after = decimal(kBarStart + std::max(1.0, share * kLongestBar) + 8, 1);
  const unsigned baseline = top + 13;
  return concat("<text x=\"", kLabelEnd, "\" y=\"", baseline, "\" text-anchor=\"end\">",
                escaped(row.name), "</text>\n<rect class=\"",
                row.name.starts_with("bawn") ? "ours" : "bar", "\" x=\"", kBarStart, "\" y=\"", top,
                "\" width=\"", width, "\" height=\"", kBarHeight, "\" rx=\"2\"/>\n<text x=\"",
                after, "\" y=\"", baseline, "\">", figures_of(report, row), "</text>\n");
}

}  // namespace

std::string report_svg(const Report& report) {
  double longest = 0;
  for (const Row& row : report.rows) longest = std::max(longest, row.ms.p50);
  const std::size_t height = kTop + report.rows.size() * kRowHeight + 8;
  const std::string title =
      concat("Start a program, wait for its end: median of ", report.runs, " rounds");
  std::string out =
      concat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", kWidth, "\" height=\"", height,
             "\" viewBox=\"0 0 ", kWidth, " ", height, "\" role=\"img\">\n<title>", title,
             "</title>\n", kStyle, "<text class=\"title\" x=\"8\" y=\"20\">", title,
             "</text>\n<text class=\"note\" x=\"8\" y=\"40\">", escaped(report.host), ", ",
             escaped(report.user), "; bawn in tier ", to_string(report.tier), "</text>\n");
  unsigned top = kTop;
  for (const Row& row : report.rows) {
    out += bar(report, row, longest, top);
    top += kRowHeight;
  }
  return out + "</svg>\n";
}

}  // namespace bawn::bench
