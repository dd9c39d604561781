// Measures how long each step of an operation takes.
//
// A stopwatch that was not started costs one branch per lap() and records nothing there. Times are
// nanoseconds of std::chrono::steady_clock, which is CLOCK_MONOTONIC on Linux. Processes in one
// time namespace share that clock, so add() accepts times that another process measured. Not thread
// safe.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bawn {

struct Lap {
  std::string_view step;
  std::uint64_t ns = 0;  // since the end of the previous step
};

class Stopwatch {
 public:
  void start() { begun_ns_ = now(); }
  [[nodiscard]] bool running() const { return begun_ns_ != 0; }

  // Records that `step` ends now. `step` is not copied: pass a string literal.
  void lap(std::string_view step) {
    if (running()) add(step, now());
  }

  // Records that `step` ended at `at_ns`, whether or not the stopwatch is running. Same rule for
  // `step`.
  void add(std::string_view step, std::uint64_t at_ns) { moments_.push_back({step, at_ns}); }

  // All steps sorted by time, whatever the order in which they were added. The first counts from
  // start(); a step that ended before start() gets 0 ns.
  [[nodiscard]] std::vector<Lap> laps() const;

 private:
  struct Moment {
    std::string_view step;
    std::uint64_t at_ns;
  };

  [[nodiscard]] static std::uint64_t now();

  std::uint64_t begun_ns_ = 0;
  std::vector<Moment> moments_;
};

}  // namespace bawn
