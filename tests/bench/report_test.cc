#include "bench/spawn/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bawn::bench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Report three_launchers() {
  return {.host = "Linux 6.1 x86_64, 2 CPUs",
          .user = "root",
          .command = "/bin/true",
          .tier = Tier::b,
          .runs = 100,
          .rows = {{.name = "posix_spawn",
                    .isolation = "no sandbox",
                    .ms = {0.5, 0.75, 1},
                    .peak_rss_kib = 540,
                    .throughput = {{1, 2000}, {8, 3000}}},
                   {.name = "bawn::run",
                    .isolation = "tier b",
                    .ms = {1.25, 1.5, 1.75},
                    .throughput = {{1, 800}, {8, 1250}}},
                   {.name = "bwrap",
                    .isolation = "all namespaces",
                    .ms = {5, 6, 7.125},
                    .peak_rss_kib = 1436,
                    .throughput = {{1, 200}, {8, 500}}}},
          .left_out = {{"crun", "found, but failed: no cgroup"}}};
}

Report without_bwrap() {
  Report report = three_launchers();
  report.rows.pop_back();
  return report;
}

TEST(Table, HasAnAlignedLineForEachLauncher) {
  EXPECT_EQ(report_table(three_launchers()),
            "Linux 6.1 x86_64, 2 CPUs, root; 100 rounds of '/bin/true'; bawn in tier b\n"
            "\n"
            "launcher     p50 ms  p95 ms  p99 ms  x posix_spawn  x bwrap  peak RSS KiB    runs/s "
            "by 1   runs/s by 8  isolation\n"
            "posix_spawn    0.50    0.75    1.00          1.00x    0.10x           540  2000 "
            "(10.00x)  3000 (6.00x)  no sandbox\n"
            "bawn::run      1.25    1.50    1.75          2.50x    0.25x             -    800 "
            "(4.00x)  1250 (2.50x)  tier b\n"
            "bwrap          5.00    6.00    7.13         10.00x    1.00x          1436    200 "
            "(1.00x)   500 (1.00x)  all namespaces\n"
            "\n"
            "crun: found, but failed: no cgroup\n"
            "Each round starts every launcher once. Peak RSS: the largest process of a run, "
            "launcher or command.\n"
            "In brackets: the throughput as a multiple of bwrap's.\n");
}

TEST(Table, WithoutBwrapHasNoRatiosToIt) {
  EXPECT_THAT(report_table(without_bwrap()),
              AllOf(HasSubstr("bawn::run      1.25    1.50    1.75          2.50x        -         "
                              "    -          800"),
                    Not(HasSubstr("In brackets"))));
}

TEST(Json, HasEveryFigure) {
  const auto json = nlohmann::json::parse(report_json(three_launchers()));
  EXPECT_EQ(json, nlohmann::json::parse(R"({
    "schema": "bawn.bench.spawn.v1", "host": "Linux 6.1 x86_64, 2 CPUs", "user": "root", "command": "/bin/true",
    "tier": "b", "runs": 100,
    "launchers": [
      {"name": "posix_spawn", "isolation": "no sandbox", "p50_ms": 0.5, "p95_ms": 0.75, "p99_ms": 1.0,
       "x_posix_spawn": 1.0, "x_bwrap": 0.1, "peak_rss_kib": 540,
       "throughput": [{"parallel": 1, "per_second": 2000.0, "x_bwrap": 10.0},
                      {"parallel": 8, "per_second": 3000.0, "x_bwrap": 6.0}]},
      {"name": "bawn::run", "isolation": "tier b", "p50_ms": 1.25, "p95_ms": 1.5, "p99_ms": 1.75,
       "x_posix_spawn": 2.5, "x_bwrap": 0.25, "peak_rss_kib": null,
       "throughput": [{"parallel": 1, "per_second": 800.0, "x_bwrap": 4.0},
                      {"parallel": 8, "per_second": 1250.0, "x_bwrap": 2.5}]},
      {"name": "bwrap", "isolation": "all namespaces", "p50_ms": 5.0, "p95_ms": 6.0, "p99_ms": 7.125,
       "x_posix_spawn": 10.0, "x_bwrap": 1.0, "peak_rss_kib": 1436,
       "throughput": [{"parallel": 1, "per_second": 200.0, "x_bwrap": 1.0},
                      {"parallel": 8, "per_second": 500.0, "x_bwrap": 1.0}]}],
    "left_out": [{"name": "crun", "reason": "found, but failed: no cgroup"}]})"));
}

TEST(Json, HasNullForARatioToAnAbsentLauncher) {
  const auto json = nlohmann::json::parse(report_json(without_bwrap()));
  EXPECT_TRUE(json["launchers"][1]["x_bwrap"].is_null());
  EXPECT_TRUE(json["launchers"][1]["throughput"][0]["x_bwrap"].is_null());
}

TEST(Json, IsValidWhateverALauncherPrinted) {
  Report report = three_launchers();
  report.left_out[0].reason = "found, but failed: \xff\x1b[0m\n\"";
  EXPECT_TRUE(nlohmann::json::accept(report_json(report)));
}

TEST(Svg, HasBarsAsLongAsTheMedians) {
  const std::string svg = report_svg(three_launchers());
  EXPECT_THAT(svg, AllOf(HasSubstr("x=\"200\" y=\"56\" width=\"34.0\""),
                         HasSubstr("x=\"200\" y=\"82\" width=\"85.0\""),
                         HasSubstr("x=\"200\" y=\"108\" width=\"340.0\"")));
  EXPECT_THAT(svg, AllOf(HasSubstr(">1.25 ms · 0.25x bwrap<"), HasSubstr(">5.00 ms<")));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"ours\" x=\"200\" y=\"82\""))
      << "bawn's own bars stand out";
}

TEST(Svg, IsForLightAndDarkPagesAndFetchesNothing) {
  const std::string svg = report_svg(three_launchers());
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(svg,
              AllOf(Not(HasSubstr("url(")), Not(HasSubstr("href")), Not(HasSubstr("@import"))));
}

TEST(Svg, EscapesWhatTheHostIsCalled) {
  Report report = three_launchers();
  report.host = "a<b>&c";
  EXPECT_THAT(report_svg(report), AllOf(HasSubstr("a&lt;b>&amp;c"), Not(HasSubstr("a<b>"))));
}

TEST(Decimal, IsRoundedAndKeepsItsZeros) {
  EXPECT_EQ(decimal(4.2, 2), "4.20");
  EXPECT_EQ(decimal(4.006, 2), "4.01");
  EXPECT_EQ(decimal(0.996, 2), "1.00");
  EXPECT_EQ(decimal(12.5, 0), "13");
  EXPECT_EQ(decimal(0, 3), "0.000");
}

}  // namespace
}  // namespace bawn::bench
