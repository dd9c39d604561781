#include "bench/spawn/parallel.h"

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace bawn::bench {

Result<Elapsed> time_parallel(unsigned parallel, unsigned count,
                              const std::function<Result<void>()>& once) {
  std::atomic<unsigned> begun = 0;
  std::atomic<bool> failed = false;
  std::vector<Result<void>> results(parallel);
  const auto work = [&](Result<void>& result) {
    while (!failed && begun.fetch_add(1) < count) {
      result = once();
      if (!result) failed = true;
    }
  };

  const auto start = Clock::now();
  std::vector<std::thread> threads;
  threads.reserve(parallel);
  for (Result<void>& result : results) threads.emplace_back(work, std::ref(result));
  for (std::thread& thread : threads) thread.join();
  const Elapsed elapsed = Clock::now() - start;

  for (const Result<void>& result : results) BAWN_TRY(result);
  return elapsed;
}

}  // namespace bawn::bench
