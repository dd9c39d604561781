// The life of a run as a pure function: event in, new state and actions out.
//
//   starting --started--> running --deadline, cpu, cancel--> terminating --grace over--> killing
//                            \____exit, too much output, init lost_______________________/  |
//                                                                       finished <-- draining
//
// From `starting`, start_failed leads to `finished`, and any other end of the run to `killing`.
//
// terminating: the tree got SIGTERM and has kGrace to end.
// killing:     the tree got SIGKILL; some of it is still alive.
// draining:    the tree is gone; its output is still on its way through the pipes.
//
// Promises, each tested over all states and events: the first cause that ends a run is the one that
// is reported. `finished` is final. `finish` is requested once. SIGKILL is sent to the tree on
// every path to `finished`. After the first cause the two timers alone lead to `finished` within
// kGrace + kDrain; the only exception is reader_slow after a command that exited by itself. A late,
// repeated or misplaced event is harmless. This file has no clock, no descriptor and no process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bawn {

enum class RunState : std::uint8_t { starting, running, terminating, killing, draining, finished };
inline constexpr std::size_t kRunStates = 6;

enum class RunEvent : std::uint8_t {
  started,          // the command was exec'd with all restrictions in force
  start_failed,     // the command was not exec'd and will not be
  command_exited,   // the command itself ended; its descendants may still run
  tree_gone,        // neither the command nor a descendant is alive
  streams_closed,   // both streams ended and everything was passed on
  wall_deadline,    // the wall-time limit is reached
  cpu_exhausted,    // the CPU-time limit is reached
  output_exceeded,  // the output limit is exceeded
  cancelled,        // the caller wants the run to stop
  grace_over,       // kGrace has passed since arm_grace
  drain_over,       // kDrain has passed since arm_drain
  reader_slow,      // as drain_over, but only the reader of a relay is late
  init_lost,        // init died unexpectedly
};
inline constexpr std::size_t kRunEvents = 13;

// The cause that ended the run.
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

// The supervisor carries these out in this order.
struct Actions {
  bool send_term = false;  // to the whole tree
  bool send_kill = false;  // to the whole tree; must be harmless if there is none
  bool arm_grace = false;
  // Also replaces a running grace timer, which no longer matters.
  bool arm_drain = false;
  bool finish = false;  // collect the output and return the outcome
  bool operator==(const Actions&) const = default;
};

// The state of one run. RunProgress{} is a run that has just been launched.
struct RunProgress {
  RunState state = RunState::starting;
  Ending ending = Ending::none;
  bool tree_gone = false;  // still false in `finished` if a process could not be killed in time
  bool streams_closed = false;
  bool hurried = false;  // deadline or cancel: no longer wait for a slow reader
  bool operator==(const RunProgress&) const = default;
};

struct Transition {
  RunProgress next;
  Actions actions;
};

// Total: defined for every run and event. command_exited or tree_gone before `started` is a failed
// start, because only `started` proves that the restrictions were in force at exec. So feed
// `started` first if several events are known at once.
[[nodiscard]] Transition advance(const RunProgress& run, RunEvent event);

[[nodiscard]] std::string_view to_string(Ending ending);

}  // namespace bawn
