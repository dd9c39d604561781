// What the supervisor does with the processes of one run: it ends them and asks for their CPU time.
//
// Each backend implements it (run/backend.h). No function waits.
#pragma once

#include <cstdint>
#include <optional>

namespace bawn {

class ProcessControl {
 public:
  enum class Killed {
    gone,   // no process of the tree is alive
    told,   // the backend will report the end of the tree by itself
    alive,  // some are alive: call kill() again after a while
  };

  ProcessControl() = default;
  ProcessControl(const ProcessControl&) = delete;
  ProcessControl& operator=(const ProcessControl&) = delete;
  virtual ~ProcessControl() = default;

  // Asks all processes to end (SIGTERM). False if the system has no such request: then there is no
  // grace period to wait for.
  [[nodiscard]] virtual bool terminate() = 0;

  // Ends all processes. Harmless if there are none.
  [[nodiscard]] virtual Killed kill() = 0;

  // The CPU time that the tree has used, in microseconds. No value if the answer comes later, by
  // Supervisor::cpu_time().
  [[nodiscard]] virtual std::optional<std::uint64_t> cpu_time_us() = 0;
};

}  // namespace bawn
