// The cost of a large stdin or stdout for a command of `bawn run`, as a file and as a pipe,
// compared with the same command without a sandbox. Every iteration runs both, in turns; the figure
// is the ratio.
//
// BAWN_STDIO_MIB is the amount of data (default 256). With BAWN_BEFORE, the path of another bawn,
// that one takes turns as well, to compare two versions; the first case compares their cold starts.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/spawn/quantiles.h"
#include "sys/fd.h"
#include "sys/pipe.h"

extern char** environ;

namespace bawn::bench {
namespace {

using Words = std::vector<std::string>;

std::string size_text() {
  const char* mib = std::getenv("BAWN_STDIO_MIB");
  return std::string(mib == nullptr ? "256" : mib) + "M";
}

// stdin and stdout of a command; stderr is the benchmark's.
struct Files {
  Fd in;
  Fd out;
};

pid_t start(const Words& words, const Files& files) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, files.in.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, files.out.get(), STDOUT_FILENO);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? pid : -1;
}

bool succeeds(pid_t pid) {
  int status = -1;
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

Fd null() { return Fd(open("/dev/null", O_RDWR | O_CLOEXEC)); }

Fd scratch_file(int flags) {
  return Fd(open(("stdio_bench." + std::to_string(getpid())).c_str(), flags | O_CLOEXEC, 0600));
}

void remove_scratch_file() { unlink(("stdio_bench." + std::to_string(getpid())).c_str()); }

// One way to run a command, and its durations.
struct Way {
  std::string name;
  Words launcher{};
  std::vector<double> ms{};
};

std::vector<Way> ways() {
  std::vector<Way> out = {{"plain"}, {"bawn", {BAWN_PROGRAM, "run", "--"}}};
  if (const char* before = std::getenv("BAWN_BEFORE"))
    out.push_back({"before", {before, "run", "--"}});
  return out;
}

// Runs the command once with the files that the case needs; false if that failed.
using Round = std::function<bool(const Words& words)>;

void measure(benchmark::State& state, const Words& command, const Round& round) {
  std::vector<Way> all = ways();
  std::vector<Way*> order;
  for (Way& way : all) order.push_back(&way);
  for (auto _ : state) {
    for (Way* way : order) {
      Words words = way->launcher;
      words.insert(words.end(), command.begin(), command.end());
      const auto begin = std::chrono::steady_clock::now();
      if (!round(words)) return state.SkipWithError((way->name + " failed").c_str());
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - begin;
      way->ms.push_back(took.count());
    }
    state.SetIterationTime(all[1].ms.back() / 1000);
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  for (const Way& way : all) {
    if (way.name != "bawn")
      state.counters["x_" + way.name] = quantiles_of(all[1].ms).p50 / quantiles_of(way.ms).p50;
  }
}

void cold_start(benchmark::State& state) {
  measure(state, {"true"}, [](const Words& words) {
    return succeeds(start(words, {null(), null()}));
  });
}

void file_as_stdin(benchmark::State& state) {
  const Files fill = {null(), scratch_file(O_WRONLY | O_CREAT | O_TRUNC)};
  if (!succeeds(start({"head", "-c", size_text(), "/dev/zero"}, fill)))
    return state.SkipWithError("head failed");
  measure(state, {"cat"}, [](const Words& words) {
    return succeeds(start(words, {scratch_file(O_RDONLY), null()}));
  });
  remove_scratch_file();
}

void file_as_stdout(benchmark::State& state) {
  measure(state, {"head", "-c", size_text(), "/dev/zero"}, [](const Words& words) {
    const bool written =
        succeeds(start(words, {null(), scratch_file(O_WRONLY | O_CREAT | O_TRUNC)}));
    remove_scratch_file();
    return written;
  });
}

void drain(int fd) {
  std::array<char, 65536> block{};
  while (read(fd, block.data(), block.size()) > 0) {
  }
}

void pipe_as_stdout(benchmark::State& state) {
  measure(state, {"head", "-c", size_text(), "/dev/zero"}, [](const Words& words) {
    auto ends = sys::pipe();
    if (!ends) return false;
    Files files = {null(), std::move(ends.value().write)};
    const pid_t pid = start(words, files);
    files.out.reset();
    drain(ends.value().read.get());
    return succeeds(pid);
  });
}

void pipe_as_stdin(benchmark::State& state) {
  measure(state, {"cat"}, [](const Words& words) {
    auto ends = sys::pipe();
    if (!ends) return false;
    const pid_t producer =
        start({"head", "-c", size_text(), "/dev/zero"}, {null(), std::move(ends.value().write)});
    const pid_t pid = start(words, {std::move(ends.value().read), null()});
    const bool written = succeeds(producer);
    return succeeds(pid) && written;
  });
}

BENCHMARK(cold_start)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(file_as_stdin)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(file_as_stdout)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(pipe_as_stdin)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(pipe_as_stdout)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bawn::bench

BENCHMARK_MAIN();
