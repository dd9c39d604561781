// `bawn bench spawn`: a measurement too short to mean anything, and the messages for bad options.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const Words kShort = {"bench", "spawn", "--runs", "2", "--parallel", "1,2", "--tier", "process"};

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(BenchSpawn, TellsTheFiguresOfEveryLauncherAsJson) {
  const Caller caller;
  const Answer answer = caller.call(joined(kShort, {"--json"}));
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/schema"), "bawn.bench.spawn.v1");
  EXPECT_EQ(at(printed, "/runs"), "2");
  EXPECT_EQ(at(printed, "/tier"), "b");
  EXPECT_EQ(at(printed, "/launchers/0/name"), "posix_spawn");
  EXPECT_EQ(at(printed, "/launchers/0/x_posix_spawn"), "1.0");
  EXPECT_EQ(at(printed, "/launchers/1/name"), "bawn run");
  EXPECT_EQ(at(printed, "/launchers/2/name"), "bawn::run");
  for (const auto& launcher : printed.at("launchers")) {
    EXPECT_GT(launcher.at("p50_ms"), 0) << launcher.dump();
    EXPECT_GE(launcher.at("p99_ms"), launcher.at("p50_ms")) << launcher.dump();
    ASSERT_EQ(launcher.at("throughput").size(), 2U) << launcher.dump();
    EXPECT_EQ(launcher.at("throughput").at(1).at("parallel"), 2);
    EXPECT_GT(launcher.at("throughput").at(1).at("per_second"), 0);
  }
  EXPECT_GT(printed.at("launchers").at(1).at("peak_rss_kib"), 0);
  EXPECT_EQ(at(printed, "/launchers/2/peak_rss_kib"), "null");
}

TEST(BenchSpawn, PrintsATableAndDrawsAChart) {
  const Caller caller;
  const Answer answer = caller.call(joined(kShort, {"--svg", "chart.svg"}));
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("\nlauncher "), HasSubstr("\nposix_spawn "),
                                HasSubstr("\nbawn run ")));
  EXPECT_THAT(content_of(caller.workspace() + "/chart.svg"),
              AllOf(StartsWith("<svg "), HasSubstr("bawn run")));
}

// The message once called the chart 'file 3'.
TEST(BenchSpawn, NamesTheChartThatCannotBeDrawn) {
  const Caller caller;
  const Answer answer = caller.call(joined(kShort, {"--svg", "/dev/full"}));
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, StartsWith("bawn: bench: --svg '/dev/full': No space left on device"));
}

// Bad options are reported before anything is started.
struct BadWords {
  Words words;
  std::string names;
  std::string expects;
};

TEST(BenchSpawn, NamesTheOptionThatIsWrongAndWhatWouldBeRight) {
  const Caller caller;
  const BadWords bad[] = {
      {{"bench"}, "bench", "bawn bench spawn"},
      {{"bench", "swim"}, "'swim'", "bawn bench spawn"},
      {{"bench", "spawn", "--runs", "0"}, "--runs", "from 1 to 1000000, found '0'"},
      {{"bench", "spawn", "--runs", "many"}, "--runs", "found 'many'"},
      {{"bench", "spawn", "--runs", "unlimited"}, "--runs", "from 1 to 1000000"},
      {{"bench", "spawn", "--runs", ""}, "--runs", "not empty"},
      {{"bench", "spawn", "--parallel", "1,,8"}, "--parallel", "1,2,8"},
      {{"bench", "spawn", "--parallel", "257"}, "--parallel", "from 1 to 256"},
      {{"bench", "spawn", "--tier", "d"}, "--tier", "process (b) or namespaces (c), found 'd'"},
      {{"bench", "spawn", "--tier", "auto"}, "--tier", "process (b) or namespaces (c)"},
      {{"bench", "spawn", "--tier", "unconfined"}, "--tier", "process (b) or namespaces (c)"},
      {{"bench", "spawn", "--tier", "a"}, "--tier: 'a'", "no tier a (wasm)"},
      {{"bench", "spawn", "--tier", "wasm"}, "--tier: 'wasm'", "no tier a (wasm)"},
      {{"bench", "spawn", "--command", "/no/such"}, "--command '/no/such'", "No such file"},
      {{"bench", "spawn", "--svg", "/no/such/x.svg"}, "--svg '/no/such/x.svg'", "No such file"},
      {{"bench", "spawn", "--rnus", "3"}, "'--rnus'", "did you mean '--runs'?"},
      {{"bench", "spawn", "--memory", "1G"}, "'--memory'", "unknown option"},
      {{"bench", "spawn", "/bin/true"}, "'/bin/true'", "--command"},
  };
  for (const BadWords& each : bad) {
    const Answer answer = caller.call(each.words);
    EXPECT_EQ(answer.exit_code, 125) << testing::PrintToString(each.words);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err,
                AllOf(StartsWith("bawn: bench: "), HasSubstr(each.names), HasSubstr(each.expects)));
  }
}

TEST(BenchSpawn, RefusesACommandThatFails) {
  const Caller caller;
  const Answer answer = caller.call(joined(kShort, {"--command", "/bin/false"}));
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("/false'"), HasSubstr("exit code 1")));
}

}  // namespace
}  // namespace bawn
