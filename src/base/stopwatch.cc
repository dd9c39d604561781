#include "base/stopwatch.h"

#include <algorithm>
#include <chrono>

namespace bawn {

std::uint64_t Stopwatch::now() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(since_boot).count());
}

std::vector<Lap> Stopwatch::laps() const {
  std::vector<Moment> moments = moments_;
  std::ranges::stable_sort(moments, {}, &Moment::at_ns);
  std::vector<Lap> laps;
  std::uint64_t before = begun_ns_;
  for (const Moment& moment : moments) {
    // A time before the start can only come from another clock. The unsigned difference must not
    // wrap around.
    const std::uint64_t at = std::max(moment.at_ns, before);
    laps.push_back({moment.step, at - before});
    before = at;
  }
  return laps;
}

}  // namespace bawn
