// The life of a run as a pure function: what happened, and what to do about it.
//
//   starting --started--> running --deadline, cpu, cancel--> terminating --grace over--> killing
//                            \____exit, too much output, init lost_______________________/  |
//                                                                       finished <-- draining
//
// terminating: the tree was asked to end (TERM) and has kGrace to do it.
// killing:     the tree was killed; not all of it is gone yet.
// draining:    the tree is gone; what it wrote is still on its way through the pipes.
//
// Promises, each a test over all states and events: the first cause that ends a run is the one
// reported; nothing leaves `finished`; `finish` is asked for once; the tree is killed on every way
// to it; from the first cause on, the two timers alone lead to `finished`, within kGrace + kDrain.
// An event that is late, doubled or out of order is harmless. There is no clock here, no descriptor
// and no process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bawn {

enum class RunState : std::uint8_t { starting, running, terminating, killing, draining, finished };
inline constexpr std::size_t kRunStates = 6;

enum class RunEvent : std::uint8_t {
  started,          // the command was exec'd with everything in force
  start_failed,     // it was not and will not be
  command_exited,   // the command itself ended; what it started may live on
  tree_gone,        // nothing it started is alive
  streams_closed,   // both streams ended and everything was passed on
  wall_deadline,    // the time it may take is over
  cpu_exhausted,    // the processor time it may use is spent
  output_exceeded,  // it printed more than it may
  cancelled,        // the caller wants it to stop
  grace_over,       // kGrace passed since arm_grace
  drain_over,       // kDrain passed since arm_drain
  reader_slow,  // the same, but all that is missing is the caller taking its output from a relay
  init_lost,    // the process that owns the tree died unexpectedly
};
inline constexpr std::size_t kRunEvents = 13;

// Why the run ended.
enum class Ending : std::uint8_t {
  none,
  exited,
  wall_time,
  cpu_time,
  output,
  cancelled,
  start_failed,
  init_lost,
};

inline constexpr std::chrono::milliseconds kGrace{400};
inline constexpr std::chrono::milliseconds kDrain{300};
static_assert(kGrace + kDrain < std::chrono::milliseconds(1000),
              "the caller has its answer by deadline + 1 s, with time left to write it");

// To be carried out in this order.
struct Actions {
  bool send_term = false;  // to the whole tree
  bool send_kill = false;  // to the whole tree; must be harmless if there is none
  bool arm_grace = false;
  bool arm_drain =
      false;            // also replaces a running grace timer, which is of no interest from then on
  bool finish = false;  // collect the output and answer
  bool operator==(const Actions&) const = default;
};

// Where a run stands. One that has just been launched is RunProgress{}.
struct RunProgress {
  RunState state = RunState::starting;
  Ending ending = Ending::none;
  bool tree_gone = false;  // still false in `finished`: something could not be killed in time
  bool streams_closed = false;
  bool hurried = false;  // deadline or cancel: do not wait for a slow reader any longer
  bool operator==(const RunProgress&) const = default;
};

struct Transition {
  RunProgress next;
  Actions actions;
};

// Defined for every run and event. An exit or a vanished tree before `started` is a failed start:
// without that report nobody knows that the command ran as it was meant to, so feed `started`
// first.
[[nodiscard]] Transition advance(const RunProgress& run, RunEvent event);

[[nodiscard]] std::string_view to_string(RunState state);
[[nodiscard]] std::string_view to_string(RunEvent event);
[[nodiscard]] std::string_view to_string(Ending ending);

}  // namespace bawn
