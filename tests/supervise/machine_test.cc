#include "supervise/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace bawn {
namespace {

using enum RunEvent;
using std::chrono::milliseconds;

constexpr RunState kAllStates[] = {RunState::starting, RunState::running,  RunState::terminating,
                                   RunState::killing,  RunState::draining, RunState::finished};
constexpr RunEvent kAllEvents[] = {started,        start_failed,  command_exited, tree_gone,
                                   streams_closed, wall_deadline, cpu_exhausted,  output_exceeded,
                                   cancelled,      grace_over,    drain_over,     reader_slow,
                                   init_lost};
static_assert(std::size(kAllStates) == kRunStates);
static_assert(std::size(kAllEvents) == kRunEvents);

// A run after a sequence of events, with everything it asked for on the way.
struct History {
  RunProgress run;
  Actions last;
  int terms = 0;
  int kills = 0;
  int graces = 0;
  int drains = 0;
  int finishes = 0;

  void feed(RunEvent event) {
    const Transition transition = advance(run, event);
    run = transition.next;
    last = transition.actions;
    terms += last.send_term;
    kills += last.send_kill;
    graces += last.arm_grace;
    drains += last.arm_drain;
    finishes += last.finish;
  }
};

History after(std::initializer_list<RunEvent> events) {
  History history;
  for (const RunEvent event : events) history.feed(event);
  return history;
}

// Every run that any sequence of events can lead to.
std::vector<RunProgress> reachable_runs() {
  std::vector<RunProgress> found{RunProgress{}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const RunEvent event : kAllEvents) {
      const RunProgress next = advance(found[i], event).next;
      if (std::find(found.begin(), found.end(), next) == found.end()) found.push_back(next);
    }
  }
  return found;
}

// A typical run in each state: the command was started, and a deadline ended it.
RunProgress typical(RunState state) {
  switch (state) {
    case RunState::starting:
      return {};
    case RunState::running:
      return after({started}).run;
    case RunState::terminating:
      return after({started, wall_deadline}).run;
    case RunState::killing:
      return after({started, wall_deadline, grace_over}).run;
    case RunState::draining:
      return after({started, wall_deadline, grace_over, tree_gone}).run;
    case RunState::finished:
      return after({started, wall_deadline, grace_over, tree_gone, streams_closed}).run;
  }
  return {};
}

constexpr std::array<std::string_view, kRunStates> kStateNames = {
    "starting", "running", "terminating", "killing", "draining", "finished",
};
constexpr std::array<std::string_view, kRunEvents> kEventNames = {
    "started",       "start_failed",  "command_exited",  "tree_gone", "streams_closed",
    "wall_deadline", "cpu_exhausted", "output_exceeded", "cancelled", "grace_over",
    "drain_over",    "reader_slow",   "init_lost",
};

std::string describe(const RunProgress& run, RunEvent event) {
  return std::string(kStateNames[static_cast<std::size_t>(run.state)]) + "/" +
         std::string(to_string(run.ending)) + " + " +
         std::string(kEventNames[static_cast<std::size_t>(event)]);
}

TEST(Machine, FollowsTheTableForEveryStateAndEvent) {
  constexpr auto S = RunState::starting;
  constexpr auto R = RunState::running;
  constexpr auto T = RunState::terminating;
  constexpr auto K = RunState::killing;
  constexpr auto D = RunState::draining;
  constexpr auto F = RunState::finished;
  struct Expected {
    RunEvent event;
    std::array<RunState, kRunStates> next;  // from S, R, T, K, D, F
  };
  constexpr Expected kTable[] = {
      {started, {R, R, T, K, D, F}},        {start_failed, {F, K, K, K, D, F}},
      {command_exited, {K, K, K, K, D, F}}, {tree_gone, {D, D, D, D, D, F}},
      {streams_closed, {S, R, T, K, F, F}}, {wall_deadline, {K, T, T, K, D, F}},
      {cpu_exhausted, {K, T, T, K, D, F}},  {output_exceeded, {K, K, K, K, D, F}},
      {cancelled, {K, T, K, K, D, F}},      {grace_over, {S, R, K, K, D, F}},
      {drain_over, {S, R, T, F, F, F}},     {reader_slow, {S, R, T, F, F, F}},
      {init_lost, {K, K, K, K, D, F}},
  };
  ASSERT_EQ(std::size(kTable), kRunEvents);
  for (const Expected& row : kTable) {
    for (std::size_t i = 0; i < kRunStates; ++i) {
      const RunProgress run = typical(kAllStates[i]);
      ASSERT_EQ(run.state, kAllStates[i]);
      EXPECT_EQ(advance(run, row.event).next.state, row.next[i]) << describe(run, row.event);
    }
  }
}

TEST(Machine, KeepsItsPromisesFromEveryReachableRunOnEveryEvent) {
  for (const RunProgress& run : reachable_runs()) {
    for (const RunEvent event : kAllEvents) {
      const auto [next, actions] = advance(run, event);
      SCOPED_TRACE(describe(run, event));
      const bool finishes = run.state != RunState::finished && next.state == RunState::finished;
      EXPECT_EQ(actions.finish, finishes);
      EXPECT_GE(next.state, run.state) << "a run never goes back";
      if (run.state == RunState::finished) {
        EXPECT_EQ(next, run);
        EXPECT_EQ(actions, Actions{});
      }
      if (run.ending != Ending::none) {
        EXPECT_EQ(next.ending, run.ending);
      }
      if (next.state >= RunState::terminating) {
        EXPECT_NE(next.ending, Ending::none);
      }
      if (next.state <= RunState::running) {
        EXPECT_EQ(next.ending, Ending::none);
      }
      EXPECT_EQ(actions.arm_grace, actions.send_term);
      EXPECT_FALSE(actions.send_term && actions.send_kill);
      const bool kills = run.state < RunState::killing && next.state >= RunState::killing;
      EXPECT_EQ(actions.send_kill, kills)
          << "the kill comes with leaving the states before it, and once";
      if (next.state == RunState::draining) {
        EXPECT_TRUE(next.tree_gone);
      }
      if (kills && !finishes) {
        EXPECT_TRUE(actions.arm_drain);
      }
    }
  }
}

TEST(Machine, TimersAloneFinishEveryRunWhoseEndWasDecided) {
  for (RunProgress run : reachable_runs()) {
    if (run.state < RunState::terminating) continue;
    run = advance(run, grace_over).next;
    run = advance(run, drain_over).next;
    EXPECT_EQ(run.state, RunState::finished) << to_string(run.ending);
  }
}

TEST(Machine, IgnoresTimersThatWereNeverArmed) {
  for (const RunEvent event : {grace_over, drain_over, reader_slow}) {
    EXPECT_EQ(advance(RunProgress{}, event).next, RunProgress{});
    const RunProgress running = after({started}).run;
    EXPECT_EQ(advance(running, event).next, running);
  }
}

TEST(Machine, FinishesAPlainRunOnceItsTreeAndItsStreamsAreOver) {
  for (const auto& order : {std::vector{command_exited, tree_gone, streams_closed},
                            std::vector{command_exited, streams_closed, tree_gone},
                            std::vector{streams_closed, command_exited, tree_gone},
                            std::vector{tree_gone, command_exited, streams_closed},
                            std::vector{streams_closed, tree_gone}}) {
    History history = after({started});
    for (const RunEvent event : order) {
      EXPECT_EQ(history.finishes, 0);
      history.feed(event);
    }
    EXPECT_EQ(history.run.state, RunState::finished);
    EXPECT_EQ(history.run.ending, Ending::exited);
    EXPECT_EQ(history.kills, 1);
    EXPECT_EQ(history.terms, 0);
    EXPECT_TRUE(history.run.tree_gone);
  }
}

TEST(Machine, KillsWhatTheCommandLeftBehindAtOnce) {
  const History history = after({started, command_exited});
  EXPECT_EQ(history.last, (Actions{.send_kill = true, .arm_drain = true}));
}

TEST(Machine, AsksBeforeItKillsAtADeadline) {
  for (const RunEvent cause : {wall_deadline, cpu_exhausted, cancelled}) {
    History history = after({started, cause});
    EXPECT_EQ(history.last, (Actions{.send_term = true, .arm_grace = true}));
    history.feed(grace_over);
    EXPECT_EQ(history.last, (Actions{.send_kill = true, .arm_drain = true}));
    history.feed(drain_over);
    EXPECT_EQ(history.last, Actions{.finish = true});
    EXPECT_FALSE(history.run.tree_gone);
  }
}

TEST(Machine, GivesAFloodNoGrace) {
  const History history = after({started, output_exceeded});
  EXPECT_EQ(history.last, (Actions{.send_kill = true, .arm_drain = true}));
  EXPECT_EQ(history.run.ending, Ending::output);
  EXPECT_EQ(after({started, wall_deadline, output_exceeded}).run.state, RunState::killing);
}

TEST(Machine, TakesASecondCancelForNow) {
  EXPECT_EQ(after({started, cancelled}).run.state, RunState::terminating);
  EXPECT_EQ(after({started, cancelled, cancelled}).run.state, RunState::killing);
  EXPECT_EQ(after({started, wall_deadline, cancelled}).run.ending, Ending::wall_time);
}

TEST(Machine, ReportsTheFirstCause) {
  const std::pair<RunEvent, Ending> causes[] = {
      {command_exited, Ending::exited},  {wall_deadline, Ending::wall_time},
      {cpu_exhausted, Ending::cpu_time}, {output_exceeded, Ending::output},
      {cancelled, Ending::cancelled},    {start_failed, Ending::start_failed},
      {init_lost, Ending::init_lost},    {tree_gone, Ending::exited},
  };
  for (const auto& [first, ending] : causes) {
    for (const auto& [second, other] : causes) {
      EXPECT_EQ(after({started, first, second, grace_over, drain_over}).run.ending, ending);
    }
  }
}

TEST(Machine, TakesAnEndBeforeTheStartForAFailedStart) {
  EXPECT_EQ(after({command_exited}).run.ending, Ending::start_failed);
  EXPECT_EQ(after({tree_gone}).run.ending, Ending::start_failed);
  EXPECT_EQ(after({started, command_exited}).run.ending, Ending::exited);
  EXPECT_EQ(after({start_failed}).last, (Actions{.send_kill = true, .finish = true}));
}

TEST(Machine, NeverStartsACommandThatWasEndedWhileStarting) {
  for (const RunEvent cause :
       {wall_deadline, cpu_exhausted, output_exceeded, cancelled, init_lost}) {
    History history = after({cause});
    EXPECT_TRUE(history.last.send_kill);
    history.feed(started);
    EXPECT_EQ(history.run.state, RunState::killing);
  }
}

TEST(Machine, WaitsForASlowReaderOnlyAfterACommandThatEndedByItself) {
  History patient = after({started, command_exited, tree_gone});
  for (int i = 0; i < 100; ++i) {
    patient.feed(reader_slow);
    EXPECT_EQ(patient.last, Actions{.arm_drain = true});
  }
  patient.feed(streams_closed);
  EXPECT_EQ(patient.run.state, RunState::finished);

  EXPECT_EQ(after({started, output_exceeded, tree_gone, reader_slow}).run.state,
            RunState::finished);
  EXPECT_EQ(after({started, command_exited, reader_slow}).run.state, RunState::finished);
}

TEST(Machine, StopsWaitingForASlowReaderAtTheDeadlineOrACancel) {
  for (const RunEvent hurry : {wall_deadline, cancelled}) {
    History history = after({started, command_exited, tree_gone, reader_slow, hurry});
    EXPECT_EQ(history.run.state, RunState::draining) << "what is ready may still pass";
    EXPECT_EQ(history.run.ending, Ending::exited);
    history.feed(reader_slow);
    EXPECT_EQ(history.run.state, RunState::finished);
    EXPECT_EQ(after({started, command_exited, hurry, tree_gone, reader_slow}).run.state,
              RunState::finished);
  }
}

TEST(Machine, KeepsItsPromisesThroughRandomHistories) {
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int i = 0; i < 100'000; ++i) {
    History history;
    if (below(4) != 0) history.feed(started);
    for (std::size_t left = below(24); left > 0; --left)
      history.feed(kAllEvents[below(kRunEvents)]);
    if (history.run.state <= RunState::running) history.feed(wall_deadline);
    history.feed(grace_over);
    history.feed(drain_over);
    ASSERT_EQ(history.run.state, RunState::finished);
    ASSERT_EQ(history.finishes, 1);
    ASSERT_EQ(history.kills, 1);
    ASSERT_LE(history.terms, 1);
    ASSERT_LE(history.graces, 1);
    ASSERT_NE(history.run.ending, Ending::none);
  }
}

// The machine with its two timers, and with random events at random times.
TEST(Machine, AnswersWithinGraceAndDrainOfTheFirstCause) {
  constexpr RunEvent kWorld[] = {command_exited, tree_gone,       streams_closed, wall_deadline,
                                 cpu_exhausted,  output_exceeded, cancelled,      init_lost};
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    History history = after({started});
    std::optional<int> decided, grace_at, drain_at;
    int now = 0;
    for (; history.run.state != RunState::finished; now += 10) {
      ASSERT_LT(now, 100'000);
      std::vector<RunEvent> due;
      if (random() % 20 == 0) due.push_back(kWorld[random() % std::size(kWorld)]);
      if (grace_at && now >= *grace_at) due.push_back(grace_over);
      if (drain_at && now >= *drain_at) due.push_back(drain_over);
      for (const RunEvent event : due) {
        history.feed(event);
        if (!decided && history.run.ending != Ending::none) decided = now;
        if (history.last.arm_grace) grace_at = now + static_cast<int>(kGrace.count());
        if (history.last.arm_drain) drain_at = now + static_cast<int>(kDrain.count());
      }
    }
    ASSERT_LE(now - 10 - *decided, (kGrace + kDrain).count());
  }
}

}  // namespace
}  // namespace bawn
