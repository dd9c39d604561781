// How long each step of something took. One that was not started costs a branch a step and nothing
// else.
//
// Moments are those of std::chrono::steady_clock in nanoseconds, on Linux CLOCK_MONOTONIC: the
// moments that another process took by that clock may be added. Not for several threads at once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bawn {

struct Lap {
  std::string_view step;
  std::uint64_t ns = 0;  // since the end of the step before
};

class Stopwatch {
 public:
  void start() { begun_ns_ = now(); }
  // What is timed has begun earlier than that. 0: nobody knows when.
  void began(std::uint64_t at_ns) {
    if (running() && at_ns != 0 && at_ns < begun_ns_) begun_ns_ = at_ns;
  }
  [[nodiscard]] bool running() const { return begun_ns_ != 0; }

  // The step ends now. `step` is kept as it is: it must be a constant.
  void lap(std::string_view step) {
    if (running()) add(step, now());
  }

  // The step ended then.
  void add(std::string_view step, std::uint64_t at_ns) { moments_.push_back({step, at_ns}); }

  // All of them in the order of time, whatever the order in which they were told.
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
