// From the text of a request to its verdict, on the real file system: the cost of every tool call
// of an agent before anything starts. The promise is a median below 100 us for a request with 20
// arguments.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "backend/linux/lookup/path_lookup.h"
#include "policy/text/policy_json.h"
#include "request/request.h"
#include "validate/validate.h"

namespace bawn::linux_ {
namespace {

using Clock = std::chrono::steady_clock;

// A typical request of a model: options, names that exist and names that do not, a path, a pattern.
const char* const kRequest = R"({
  "command": "git",
  "args": ["log", "--oneline", "--graph", "-n", "20", "--since=2024/01/02", "--author=Ada", "--grep=s/a/b/",
           "--format=%H %s", "origin/main", "HEAD~3", "--", "src/main.cc", "README.md", "docs/a b.txt", "usr/../tmp",
           "Makefile", "include", "v1.2.3", "tests/x_test.cc"],
  "cwd": "",
  "env": {"GIT_TERMINAL_PROMPT": "0"},
  "timeout_ms": 5000
})";

const char* const kPolicy =
    R"({"executables": {"allow": ["git", "ls", "cat"]}, "filesystem": {"read": ["/usr/share"]}})";

Verdict parse_and_validate(const Policy& policy) {
  auto parsed = parse_request(kRequest);
  Request request = std::get<Request>(std::move(parsed));
  benchmark::DoNotOptimize(normalise_request(request));
  const FileSystemLookup lookup;
  return validate(policy, request, {.tier = Tier::b, .lookup = &lookup, .workspace = "/tmp"});
}

void parse_and_validate_20_arguments(benchmark::State& state) {
  const Policy policy = std::get<SourcedPolicy>(parse_policy(kPolicy, "bench")).policy;
  const Verdict verdict = parse_and_validate(policy);
  if (!verdict.allowed()) {
    state.SkipWithError(verdict.violations.front().message.c_str());
    return;
  }
  std::vector<double> micros;
  for (auto _ : state) {
    const auto begun = Clock::now();
    benchmark::DoNotOptimize(parse_and_validate(policy));
    micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begun).count());
  }
  std::sort(micros.begin(), micros.end());
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
}
BENCHMARK(parse_and_validate_20_arguments)->Unit(benchmark::kMicrosecond);

void parse_policy_file(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_policy(kPolicy, "bench"));
}
BENCHMARK(parse_policy_file)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bawn::linux_

BENCHMARK_MAIN();
