// The rounds of a measurement, with launchers whose times are known.

#include "bench/spawn/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace bawn::bench {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct Script {
  std::vector<Elapsed> times{};  // of its runs; the last time repeats
  unsigned works = 1'000'000;    // number of runs before it fails
};

class Scripted final : public Launcher {
 public:
  Scripted(std::string name, Script script, std::string& log)
      : Launcher(std::move(name), "none"), script_(std::move(script)), log_(log) {}

  Result<void> try_once() override { return {}; }

  Result<Elapsed> run_once() override {
    log_ += name();
    if (runs_ == script_.works) return invalid_error("out of order");
    return script_.times[std::min<std::size_t>(runs_++, script_.times.size() - 1)];
  }

  // As if `parallel` runs together took no longer than one.
  Result<Elapsed> run_many(unsigned parallel, unsigned count) override {
    return script_.times.back() * count / parallel;
  }

  Result<std::optional<long>> peak_rss_kib() override {
    return std::optional<long>(runs_ == 0 ? 99 : -1);
  }

 private:
  Script script_;
  std::string& log_;
  unsigned runs_ = 0;
};

struct Stage {
  std::string log{};
  Field field{.command = "/bin/true", .tier = Tier::b};

  void add(const std::string& name, Script script) {
    field.launchers.push_back(std::make_unique<Scripted>(name, std::move(script), log));
  }
};

TEST(Measure, GivesEachLauncherOneTurnARound) {
  Stage stage;
  for (const char* name : {"a", "b", "c"}) stage.add(name, {.times = {milliseconds(1)}});
  const Report report = measure(std::move(stage.field), {.runs = 4, .parallel = {}});
  EXPECT_EQ(report.rows.size(), 3U);
  ASSERT_EQ(stage.log.size(), 3U * (3 + 4)) << "three rounds to warm up";
  for (std::size_t at = 0; at < stage.log.size(); at += 3)
    EXPECT_THAT(stage.log.substr(at, 3), UnorderedElementsAre('a', 'b', 'c'));
}

// The order must vary: the kernel may still clean up after one launcher while the next one runs.
TEST(Measure, LetsEveryLauncherFollowEveryOther) {
  Stage stage;
  for (const char* name : {"a", "b", "c"}) stage.add(name, {.times = {milliseconds(1)}});
  static_cast<void>(measure(std::move(stage.field), {.runs = 40, .parallel = {}}));
  for (const char* pair : {"ab", "ac", "ba", "bc", "ca", "cb"})
    EXPECT_THAT(stage.log, HasSubstr(pair));
}

TEST(Measure, DoesNotCountTheWarmUp) {
  Stage stage;
  const auto slow = milliseconds(900);
  stage.add("a", {.times = {slow, slow, slow, milliseconds(4), milliseconds(2), milliseconds(3)}});
  const Report report = measure(std::move(stage.field), {.runs = 3, .parallel = {}});
  EXPECT_EQ(report.rows.at(0).ms, (Quantiles{3, 4, 4}));
}

TEST(Measure, CountsRunsASecond) {
  Stage stage;
  stage.add("a", {.times = {milliseconds(10)}});
  const Report report = measure(std::move(stage.field), {.runs = 40, .parallel = {1, 8}});
  ASSERT_EQ(report.rows.at(0).throughput.size(), 2U);
  EXPECT_EQ(report.rows[0].throughput[0].parallel, 1U);
  EXPECT_NEAR(report.rows[0].throughput[0].per_second, 100, 1e-6);
  EXPECT_EQ(report.rows[0].throughput[1].parallel, 8U);
  EXPECT_NEAR(report.rows[0].throughput[1].per_second, 800, 1e-6);
}

TEST(Measure, TakesTheMemoryBeforeAnythingElse) {
  Stage stage;
  stage.add("a", {.times = {milliseconds(1)}});
  const Report report = measure(std::move(stage.field), {.runs = 1, .parallel = {1}});
  EXPECT_EQ(report.rows.at(0).peak_rss_kib, 99);
}

TEST(Measure, LeavesOutWhoFailsOnTheWayAndSaysWhy) {
  Stage stage;
  stage.add("a", {.times = {milliseconds(1)}});
  stage.add("b", {.times = {milliseconds(1)}, .works = 5});
  stage.field.left_out.push_back({"c", "found, but failed: broken"});
  const Report report = measure(std::move(stage.field), {.runs = 10, .parallel = {1}});
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].name, "a");
  EXPECT_EQ(std::count(stage.log.begin(), stage.log.end(), 'b'), 5 + 1)
      << "not run again after it failed";
  EXPECT_THAT(report.left_out, ElementsAre(LeftOut{"c", "found, but failed: broken"},
                                           LeftOut{"b", "failed while measured: out of order"}));
}

TEST(Measure, SaysWhatAndWhereItWas) {
  Stage stage;
  stage.add("a", {.times = {milliseconds(1)}});
  const Report report = measure(std::move(stage.field), {.runs = 7, .parallel = {}});
  EXPECT_EQ(report.command, "/bin/true");
  EXPECT_EQ(report.tier, Tier::b);
  EXPECT_EQ(report.runs, 7U);
  EXPECT_THAT(report.host, HasSubstr("CPU"));
  EXPECT_THAT(report.user, testing::AnyOf("root", "ordinary user"));
}

}  // namespace
}  // namespace bawn::bench
