// How much of the speed of a plain read loop remains when output goes through the pump.
//
// A forked child writes blocks of 64 KiB as fast as it can. Time counts from the fork to the end of
// the stream. Each iteration measures both ways in turn, so that a busy machine slows both, and the
// median of all iterations counts. The figure is `of_bare` (bare time / pump time); the goal is
// 0.9. `of_bare_cpu` is the same ratio for the CPU time of the reading side alone; it is meaningful
// on a busy machine too.
#include <benchmark/benchmark.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "backend/linux/stdio/pump.h"
#include "sys/call.h"
#include "sys/pipe.h"

namespace bawn::linux_ {
namespace {

using Seconds = std::chrono::duration<double>;
using std::chrono::steady_clock;

constexpr std::size_t kBlock = 64 * 1024;

[[noreturn]] void write_and_exit(int fd, std::size_t bytes) {
  static constexpr std::array<char, kBlock> kZeros = {};
  for (std::size_t done = 0; done < bytes; done += kBlock) {
    if (::write(fd, kZeros.data(), kBlock) != static_cast<ssize_t>(kBlock)) ::_exit(1);
  }
  ::_exit(0);
}

pid_t fork_writer(Fd write_end, std::size_t bytes) {
  const pid_t pid = ::fork();
  if (pid == 0) write_and_exit(write_end.get(), bytes);
  return pid;
}

struct Cost {
  double wall = 0;
  double cpu = 0;  // of this process, not of the writer
};

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Runs `read_all` while a forked writer fills `write_end`.
template <class ReadAll>
Cost measure(Fd write_end, std::size_t bytes, ReadAll read_all) {
  const auto start = steady_clock::now();
  const pid_t child = fork_writer(std::move(write_end), bytes);
  const double cpu_start = cpu_seconds();
  read_all();
  const double cpu = cpu_seconds() - cpu_start;
  const double wall = Seconds(steady_clock::now() - start).count();
  ::waitpid(child, nullptr, 0);
  return {wall, cpu};
}

// The simplest reader. It appends what it reads to `keep`; null discards it.
Cost measure_bare_loop(std::size_t bytes, std::string* keep) {
  sys::PipeEnds pipe = sys::pipe().value();
  sys::grow_pipe(pipe.read.get(), kPipeBytes);
  std::vector<char> buffer(kBlock);
  return measure(std::move(pipe.write), bytes, [&] {
    for (;;) {
      const ssize_t got =
          sys::retried([&] { return ::read(pipe.read.get(), buffer.data(), buffer.size()); });
      if (got <= 0) return;
      if (keep != nullptr) keep->append(buffer.data(), static_cast<std::size_t>(got));
    }
  });
}

Cost measure_pump(std::size_t bytes, Limit limit) {
  Pump pump = Pump::create({.output_bytes = limit}).value();
  ChildEnds ends = pump.take_child_ends();
  ends.stderr_write.reset();
  const Cost cost = measure(std::move(ends.stdout_write), bytes, [&] {
    pollfd ask{.fd = pump.poll_fd(), .events = POLLIN, .revents = 0};
    while (!pump.step().value().streams_closed) sys::retried([&] { return ::poll(&ask, 1, -1); });
  });
  if (pump.finish().stdout_stream.bytes != bytes) std::abort();
  return cost;
}

double median(const std::vector<Cost>& costs, double Cost::*which) {
  std::vector<double> values;
  for (const Cost& cost : costs) values.push_back(cost.*which);
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

void compare(benchmark::State& state, std::size_t bytes, Limit limit, bool bare_keeps) {
  std::vector<Cost> bare, pumped;
  for (auto _ : state) {
    std::string kept;
    bare.push_back(measure_bare_loop(bytes, bare_keeps ? &kept : nullptr));
    pumped.push_back(measure_pump(bytes, limit));
    state.SetIterationTime(pumped.back().wall);
  }
  const auto per_second = [&](const std::vector<Cost>& costs) {
    return benchmark::Counter(static_cast<double>(bytes) / median(costs, &Cost::wall), {},
                              benchmark::Counter::kIs1024);
  };
  state.counters["bare_bytes_per_s"] = per_second(bare);
  state.counters["pump_bytes_per_s"] = per_second(pumped);
  state.counters["of_bare"] = median(bare, &Cost::wall) / median(pumped, &Cost::wall);
  state.counters["of_bare_cpu"] = median(bare, &Cost::cpu) / median(pumped, &Cost::cpu);
}

constexpr std::size_t kFlood = 256 * 1024 * 1024;

// Beyond the 16 MiB that it may keep, the pump counts bytes and discards them.
void flood_without_limit(benchmark::State& state) { compare(state, kFlood, Limit{}, false); }
void flood_past_quota(benchmark::State& state) { compare(state, kFlood, 64 * 1024, false); }
// Both keep everything.
void keep_everything(benchmark::State& state) { compare(state, kMaxKeptBytes, Limit{}, true); }

BENCHMARK(flood_without_limit)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);
BENCHMARK(flood_past_quota)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);
BENCHMARK(keep_everything)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(50);

}  // namespace
}  // namespace bawn::linux_

BENCHMARK_MAIN();
