// A launcher that is a program: posix_spawn, then wait.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/launcher.h"

namespace bawn::bench {

// Where a program finds the filter, if it gets one. One digit: a plain shell knows no more.
inline constexpr int kFilterFd = 9;

struct LaunchLine {
  std::vector<std::string> argv;  // the first word is the absolute path of the program
  int filter = -1;  // a file that is opened afresh as kFilterFd for each run; borrowed
  // Each run gets its number appended to the last word: a name that no two runs may share.
  bool numbered = false;
  std::shared_ptr<const void> holds{};  // whatever must live as long as the command may be run
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
