// What every outcome has in common: run id, repairs, duration, step times. The same on every
// system.
//
// Created at the start of run(); it borrows the options. Used by one thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "api/run_options.h"
#include "base/stopwatch.h"
#include "outcome/outcome.h"

namespace bawn {

class RunContext {
 public:
  // The duration counts from here. `options` is borrowed. `run_id` is the request's; an outcome
  // made before there is a RunIdentity uses it.
  RunContext(const RunOptions& options, std::string run_id);

  // Sets the final run id and the repairs of the request.
  void address(std::string run_id, std::vector<std::string> repairs);

  // Completes the outcome with id, repairs, duration and step times. Call once, at the very end.
  [[nodiscard]] Outcome sealed(Outcome outcome);

  [[nodiscard]] const std::string& run_id() const { return run_id_; }
  Stopwatch& stopwatch() { return stopwatch_; }

  // Passes one line to the caller's log function, if there is one. Never with a secret.
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
