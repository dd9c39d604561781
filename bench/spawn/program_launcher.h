// A launcher that is a program: started by posix_spawn, then waited for.
//
// run_many() starts runs from several threads. Its stdio is /dev/null, except in try_once(), which
// reads stderr to explain a failure.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/spawn/launcher.h"

namespace bawn::bench {

// The descriptor of the seccomp filter, if the program gets one. One digit, because a plain shell
// accepts no more.
inline constexpr int kFilterFd = 9;

struct LaunchLine {
  std::vector<std::string> argv;  // argv[0] is the absolute path of the program
  int filter = -1;                // borrowed; reopened as kFilterFd for each run; -1: none
  // Appends the number of the run to the last word, for names that must be unique.
  bool numbered = false;
  std::shared_ptr<const void> holds{};  // keeps files alive while the command may be run
};

class ProgramLauncher final : public Launcher {
 public:
  ProgramLauncher(std::string name, std::string isolation, LaunchLine command);

  Result<void> try_once() override;
  Result<Elapsed> run_once() override;
  Result<Elapsed> run_many(unsigned parallel, unsigned count) override;
  Result<std::optional<long>> peak_rss_kib() override;

 private:
  [[nodiscard]] std::vector<std::string> next_argv();

  LaunchLine command_;
  std::atomic<unsigned> runs_ = 0;
};

}  // namespace bawn::bench
