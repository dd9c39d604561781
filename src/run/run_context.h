// What every answer of a run has on its outside: whose it is, what was repaired, how long it took.
// The same on every system.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/stopwatch.h"
#include "outcome/outcome.h"
#include "run/bawn.h"

namespace bawn {

class RunContext {
 public:
  // Time counts from here on. `options` are borrowed. `run_id` is what the request calls the run:
  // an answer that comes before there is an identity has no other.
  RunContext(const RunOptions& options, std::string run_id);

  void address(std::string run_id, std::vector<std::string> repairs);

  // The answer as the caller gets it. Once, when there is nothing left to do.
  [[nodiscard]] Outcome sealed(Outcome outcome);

  [[nodiscard]] const std::string& run_id() const { return run_id_; }
  Stopwatch& stopwatch() { return stopwatch_; }

  // One line for whoever wants to know; never with a secret.
  void log(std::string_view line) const {
    if (options_.log) options_.log(line);
  }
  [[nodiscard]] bool is_logging() const { return static_cast<bool>(options_.log); }

 private:
  const RunOptions& options_;
  Stopwatch stopwatch_;
  std::chrono::steady_clock::time_point begun_;
  std::string run_id_;
  std::vector<std::string> repairs_;
};

}  // namespace bawn
