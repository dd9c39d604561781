// The cost of starting a program that does nothing and waiting for its end: by posix_spawn, by
// `bawn run`, by the library call, and by bwrap with bawn's filter. `bawn bench spawn` has all
// launchers and the tails.
//
// Every iteration also runs the two baselines, so that the ratios hold on a busy machine.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/spawn/field.h"
#include "bench/spawn/quantiles.h"

namespace bawn::bench {
namespace {

double milliseconds(Elapsed elapsed) {
  return std::chrono::duration<double, std::milli>(elapsed).count();
}

// One launcher and the durations of its runs.
struct Timed {
  Launcher* launcher = nullptr;  // null: not available here
  std::vector<double> ms{};

  Result<void> run() {
    if (launcher == nullptr) return {};
    BAWN_ASSIGN(const Elapsed elapsed, launcher->run_once());
    ms.push_back(milliseconds(elapsed));
    return {};
  }
  [[nodiscard]] double median() const { return quantiles_of(ms).p50; }
};

Launcher* find(const Field& field, std::string_view name) {
  for (const auto& launcher : field.launchers) {
    if (launcher->name() == name) return launcher.get();
  }
  return nullptr;
}

void spawn(benchmark::State& state, const Field& field, Launcher* launcher) {
  Timed ours{launcher};
  std::array<Timed, 2> yardsticks = {Timed{find(field, kBaseline)}, Timed{find(field, kRival)}};
  std::array<Timed*, 3> order = {&ours, &yardsticks[0], &yardsticks[1]};
  for (auto _ : state) {
    for (Timed* timed : order) {
      if (const auto ran = timed->run(); !ran)
        return state.SkipWithError(ran.error().message.c_str());
    }
    state.SetIterationTime(ours.ms.back() / 1000);
    // A run pays for the clean-up that the one before it left, so the order rotates.
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  state.counters["p50_ms"] = ours.median();
  for (const Timed& yardstick : yardsticks) {
    if (yardstick.launcher == nullptr) continue;
    state.counters["x_" + yardstick.launcher->name()] = ours.median() / yardstick.median();
  }
}

Result<Field> field_here() {
  std::array<char, PATH_MAX> here{};
  if (getcwd(here.data(), here.size()) == nullptr) return system_error(errno, "getcwd");
  const char* search_path = std::getenv("PATH");
  return assemble_field({.bawn = BAWN_PROGRAM,
                         .command = BAWN_BENCH_COMMAND,
                         .workspace = here.data(),
                         .search_path = search_path == nullptr ? "" : search_path});
}

int run_benchmarks(int argc, char** argv) {
  const auto field = field_here();
  if (!field) {
    std::fprintf(stderr, "%s\n", field.error().message.c_str());
    return 1;
  }
  for (const LeftOut& left_out : field.value().left_out) {
    std::fprintf(stderr, "%s: %s\n", left_out.name.c_str(), left_out.reason.c_str());
  }
  for (const std::string_view name :
       {kBaseline, kBawnCold, kBawnLibrary, kBawnLibraryLarge, kRival}) {
    Launcher* launcher = find(field.value(), name);
    if (launcher == nullptr) continue;
    const std::string title = launcher->name() + " (" + launcher->isolation() + ")";
    const auto run = [&field, launcher](benchmark::State& state) {
      spawn(state, field.value(), launcher);
    };
    benchmark::RegisterBenchmark(title.c_str(), run)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace bawn::bench

int main(int argc, char** argv) { return bawn::bench::run_benchmarks(argc, argv); }
