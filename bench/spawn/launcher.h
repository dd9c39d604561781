// One way to start the command and to wait for its end.
//
// Every launcher does the same work for the same command: stdio is /dev/null, the environment is
// the caller's without bawn's variables and with the system's PATH, and an exit code other than 0
// is an error. Time is CLOCK_MONOTONIC, from before the launcher is started until its end is known.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace bawn::bench {

using Clock = std::chrono::steady_clock;
using Elapsed = std::chrono::nanoseconds;

class Launcher {
 public:
  // `isolation` describes in a few words what the command is isolated from, because a launcher that
  // does less is not comparable.
  Launcher(std::string name, std::string isolation)
      : name_(std::move(name)), isolation_(std::move(isolation)) {}
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& isolation() const { return isolation_; }

  // One run without measuring. The error says in one line why it does not work here.
  [[nodiscard]] virtual Result<void> try_once() = 0;

  // The duration of one run.
  [[nodiscard]] virtual Result<Elapsed> run_once() = 0;

  // The duration of `count` runs, `parallel` of them at a time.
  [[nodiscard]] virtual Result<Elapsed> run_many(unsigned parallel, unsigned count) = 0;

  // Peak resident set of the largest process of one run, launcher or command, in KiB. Empty if the
  // launcher is not a process of its own. Call it while this process is small, see
  // program_launcher.cc.
  [[nodiscard]] virtual Result<std::optional<long>> peak_rss_kib() = 0;

 private:
  std::string name_;
  std::string isolation_;
};

}  // namespace bawn::bench
