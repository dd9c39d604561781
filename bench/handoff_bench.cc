// The cost of looking for what a run has handed to other programs: before and after, where nothing
// has changed. Beside it one lstat() of each name of the table, twice, which a look without a
// listing would need.
#include <benchmark/benchmark.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "handoff/name.h"
#include "handoff/watch.h"

namespace {

namespace fs = std::filesystem;
using namespace bawn;  // NOLINT(google-build-using-namespace)

// A small project: a repository, a few files of the table, sources in some directories.
class Project {
 public:
  explicit Project(int directories) {
    std::string pattern = "/tmp/bawn-handoff-bench-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    for (const char* name : {".git/config", ".git/HEAD", ".git/hooks/pre-commit.sample", "Makefile",
                             "package.json", "README.md", ".github/workflows/ci.yml",
                             ".vscode/settings.json", "CLAUDE.md", "src/main.c"})
      write(name);
    for (int i = 0; i < directories; ++i) write("src/" + std::to_string(i) + "/file.c");
  }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;
  ~Project() { fs::remove_all(root_); }

  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] HandoffPlan plan() const {
    return {.roots = {{root_.string(), ""}}, .git = {{0, ".git"}}};
  }

 private:
  void write(const std::string& name) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << "[core]\n";
  }

  fs::path root_;
};

void look_before_and_after(benchmark::State& state) {
  const Project project(static_cast<int>(state.range(0)));
  // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the loop of Google Benchmark
  for (auto round : state) {
    handoff::Watch watch = handoff::Watch::begin(project.plan());
    benchmark::DoNotOptimize(watch.finish());
  }
}
BENCHMARK(look_before_and_after)->Arg(0)->Arg(20)->Unit(benchmark::kMicrosecond);

void ask_for_each_name(benchmark::State& state) {
  const Project project(0);
  const fs::path before = fs::current_path();
  fs::current_path(project.root());
  // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the loop of Google Benchmark
  for (auto round : state) {
    for (int twice = 0; twice < 2; ++twice) {
      for (const handoff::HandoffName& row :
           handoff::handoff_names(handoff::NameTable::work_tree)) {
        struct stat status {};
        benchmark::DoNotOptimize(::lstat(std::string(row.pattern).c_str(), &status));
      }
    }
  }
  fs::current_path(before);
}
BENCHMARK(ask_for_each_name)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
