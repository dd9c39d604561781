#include "supervise/machine.h"

#include <array>

namespace bawn {
namespace {

enum class Reaction : std::uint8_t {
  undefined,  // an entry that is missing in the table; the static_assert below refuses it
  none,
  begin,     // the command runs
  ask,       // SIGTERM, then kGrace
  kill,      // SIGKILL, then at most kDrain
  fail,      // nothing ran: finish at once
  hurry,     // the run is ending already; do not wait for a slow reader
  patience,  // wait for a slow reader once more, unless hurried
  finish,
};

constexpr std::size_t index(RunState state) { return static_cast<std::size_t>(state); }
constexpr std::size_t index(RunEvent event) { return static_cast<std::size_t>(event); }

using Row = std::array<Reaction, kRunStates>;

// One row for each event in the order of RunEvent, one column for each state in the order of
// RunState. tree_gone and streams_closed are also stored in RunProgress, and the two together end a
// killed run (see settle).
constexpr std::array<Row, kRunEvents> make_reactions() {
  using enum Reaction;
  return {{
      // starting, running, terminating, killing, draining, finished
      {begin, none, none, none, none, none},  // started
      {fail, kill, kill, none, none, none},   // start_failed
      {kill, kill, kill, none, none, none},   // command_exited: nothing may outlive the command
      {kill, kill, kill, none, none, none},   // tree_gone: kill those not counted, too
      {none, none, none, none, none, none},  // streams_closed: a command may close its output early
      {kill, ask, none, hurry, hurry, none},       // wall_deadline
      {kill, ask, none, none, none, none},         // cpu_exhausted
      {kill, kill, kill, none, none, none},        // output_exceeded: no grace for a flood
      {kill, ask, kill, hurry, hurry, none},       // cancelled: a second cancel kills at once
      {none, none, kill, none, none, none},        // grace_over
      {none, none, none, finish, finish, none},    // drain_over
      {none, none, none, finish, patience, none},  // reader_slow
      {kill, kill, kill, none, none, none},        // init_lost: expected once the tree was killed
  }};
}
constexpr std::array<Row, kRunEvents> kReactions = make_reactions();

constexpr bool every_pair_is_defined() {
  for (const Row& row : kReactions) {
    for (const Reaction reaction : row) {
      if (reaction == Reaction::undefined) return false;
    }
  }
  return true;
}
static_assert(every_pair_is_defined());

Ending ending_of(RunEvent event, RunState state) {
  switch (event) {
    case RunEvent::command_exited:
    case RunEvent::tree_gone:
      return state == RunState::starting ? Ending::start_failed : Ending::exited;
    case RunEvent::start_failed:
      return Ending::start_failed;
    case RunEvent::wall_deadline:
      return Ending::wall_time;
    case RunEvent::cpu_exhausted:
      return Ending::cpu_time;
    case RunEvent::output_exceeded:
      return Ending::output;
    case RunEvent::cancelled:
      return Ending::cancelled;
    case RunEvent::init_lost:
      return Ending::init_lost;
    case RunEvent::started:
    case RunEvent::streams_closed:
    case RunEvent::grace_over:
    case RunEvent::drain_over:
    case RunEvent::reader_slow:
      return Ending::none;
  }
  return Ending::none;
}

Transition finished(RunProgress run, Actions actions) {
  run.state = RunState::finished;
  actions.arm_drain = false;
  actions.finish = true;
  return {run, actions};
}

Transition wait_for_reader(const RunProgress& run) {
  // The output of a command that ended by itself is complete. The caller gets all of it, however
  // long reading takes.
  if (run.ending == Ending::exited && !run.hurried) return {run, {.arm_drain = true}};
  return finished(run, {});
}

Transition react(RunProgress run, Reaction reaction) {
  switch (reaction) {
    case Reaction::undefined:
    case Reaction::none:
      return {run, {}};
    case Reaction::begin:
      run.state = RunState::running;
      return {run, {}};
    case Reaction::ask:
      run.state = RunState::terminating;
      return {run, {.send_term = true, .arm_grace = true}};
    case Reaction::kill:
      run.state = RunState::killing;
      return {run, {.send_kill = true, .arm_drain = true}};
    case Reaction::fail:
      return finished(run, {.send_kill = true});
    case Reaction::hurry:
      run.hurried = true;
      return {run, {}};
    case Reaction::patience:
      return wait_for_reader(run);
    case Reaction::finish:
      return finished(run, {});
  }
  return {run, {}};
}

// A killed run whose tree is gone waits only for its output. If the streams are closed too, it is
// finished.
Transition settle(Transition transition) {
  const RunState state = transition.next.state;
  if (state != RunState::killing && state != RunState::draining) return transition;
  if (!transition.next.tree_gone) return transition;
  if (transition.next.streams_closed) return finished(transition.next, transition.actions);
  transition.next.state = RunState::draining;
  return transition;
}

constexpr std::array<std::string_view, kRunStates> kStateNames = {
    "starting", "running", "terminating", "killing", "draining", "finished",
};
constexpr std::array<std::string_view, kRunEvents> kEventNames = {
    "started",       "start_failed",  "command_exited",  "tree_gone", "streams_closed",
    "wall_deadline", "cpu_exhausted", "output_exceeded", "cancelled", "grace_over",
    "drain_over",    "reader_slow",   "init_lost",
};
constexpr std::array<std::string_view, 8> kEndingNames = {
    "none", "exited", "wall_time", "cpu_time", "output", "cancelled", "start_failed", "init_lost",
};

}  // namespace

Transition advance(const RunProgress& run, RunEvent event) {
  if (run.state == RunState::finished) return {run, {}};
  RunProgress next = run;
  if (event == RunEvent::tree_gone) next.tree_gone = true;
  if (event == RunEvent::streams_closed) next.streams_closed = true;
  if (next.ending == Ending::none) next.ending = ending_of(event, run.state);
  return settle(react(next, kReactions[index(event)][index(run.state)]));
}

std::string_view to_string(RunState state) { return kStateNames[index(state)]; }
std::string_view to_string(RunEvent event) { return kEventNames[index(event)]; }
std::string_view to_string(Ending ending) { return kEndingNames[static_cast<std::size_t>(ending)]; }

}  // namespace bawn
