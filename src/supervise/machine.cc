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

struct Row {
  Ending ending;  // the cause, if the event ends the run
  std::array<Reaction, kRunStates> reactions;
};

// One row for each event in the order of RunEvent, one column for each state in the order of
// RunState. tree_gone and streams_closed are also stored in RunProgress, and the two together end a
// killed run (see settle). Nothing may outlive the command, and after tree_gone those that were not
// counted are killed, too. A command may close its output early. A flood of output gets no grace,
// and a second cancel kills at once. init_lost is expected once the tree was killed.
constexpr std::array<Row, kRunEvents> make_table() {
  using enum Reaction;
  return {{
      // from starting, running, terminating, killing, draining, finished
      {Ending::none, {begin, none, none, none, none, none}},         // started
      {Ending::start_failed, {fail, kill, kill, none, none, none}},  // start_failed
      {Ending::exited, {kill, kill, kill, none, none, none}},        // command_exited
      {Ending::exited, {kill, kill, kill, none, none, none}},        // tree_gone
      {Ending::none, {none, none, none, none, none, none}},          // streams_closed
      {Ending::wall_time, {kill, ask, none, hurry, hurry, none}},    // wall_deadline
      {Ending::cpu_time, {kill, ask, none, none, none, none}},       // cpu_exhausted
      {Ending::output, {kill, kill, kill, none, none, none}},        // output_exceeded
      {Ending::cancelled, {kill, ask, kill, hurry, hurry, none}},    // cancelled
      {Ending::none, {none, none, kill, none, none, none}},          // grace_over
      {Ending::none, {none, none, none, finish, finish, none}},      // drain_over
      {Ending::none, {none, none, none, finish, patience, none}},    // reader_slow
      {Ending::init_lost, {kill, kill, kill, none, none, none}},     // init_lost
  }};
}
constexpr std::array<Row, kRunEvents> kTable = make_table();

constexpr bool every_pair_is_defined() {
  for (const Row& row : kTable) {
    for (const Reaction reaction : row.reactions) {
      if (reaction == Reaction::undefined) return false;
    }
  }
  return true;
}
static_assert(every_pair_is_defined());

// The end of a command that has not started is a failed start.
Ending ending_of(RunEvent event, RunState state) {
  const Ending ending = kTable[index(event)].ending;
  return ending == Ending::exited && state == RunState::starting ? Ending::start_failed : ending;
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
  return settle(react(next, kTable[index(event)].reactions[index(run.state)]));
}

std::string_view to_string(Ending ending) { return kEndingNames[static_cast<std::size_t>(ending)]; }

}  // namespace bawn
