#include "run/run_context.h"

#include <utility>

namespace bawn {

RunContext::RunContext(const RunOptions& options, std::string run_id)
    : options_(options), run_id_(std::move(run_id)) {
  if (options_.timing) stopwatch_.start();
  // Read after the stopwatch is started, so that the step times cover the duration.
  begun_ = std::chrono::steady_clock::now();
}

void RunContext::address(std::string run_id, std::vector<std::string> repairs) {
  run_id_ = std::move(run_id);
  repairs_ = std::move(repairs);
}

Outcome RunContext::sealed(Outcome outcome) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  outcome.run_id = run_id_;
  outcome.repairs = std::move(repairs_);
  const auto elapsed =
      duration_cast<milliseconds>(std::chrono::steady_clock::now() - begun_).count();
  outcome.duration_ms = static_cast<std::uint64_t>(elapsed);
  stopwatch_.lap("outcome");
  for (const Lap& lap : stopwatch_.laps())
    outcome.timing.push_back({std::string(lap.step), lap.ns});
  return outcome;
}

}  // namespace bawn
