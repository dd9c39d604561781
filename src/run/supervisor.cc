#include "run/supervisor.h"

#include <algorithm>
#include <thread>

namespace bawn {

using std::chrono::microseconds;
using std::chrono::milliseconds;

Supervisor::Supervisor(const Limits& limits, ProcessControl& tree, Stopwatch& stopwatch)
    : limits_(limits), tree_(tree), stopwatch_(stopwatch) {
  if (limits_.wall_time_ms) wall_ = Clock::now() + milliseconds(*limits_.wall_time_ms);
}

// Killing comes last: it may find that the tree is gone, which is the next event.
void Supervisor::happen(RunEvent event) {
  const Transition transition = advance(progress_, event);
  progress_ = transition.next;
  const Actions& actions = transition.actions;
  const bool has_grace = !actions.send_term || tree_.terminate();
  if (actions.arm_grace) phase_ = Clock::now() + kGrace;
  if (actions.arm_drain) phase_ = Clock::now() + kDrain;
  if (actions.send_kill) kill();
  if (!has_grace) happen(RunEvent::grace_over);
}

void Supervisor::kill() {
  const ProcessControl::Killed killed = tree_.kill();
  look_.reset();
  if (finished()) return;
  if (killed == ProcessControl::Killed::alive) look_ = Clock::now() + kBetweenLooks;
  if (killed == ProcessControl::Killed::gone) tree_gone();
}

void Supervisor::started() {
  happen(RunEvent::started);
  cpu_time(0);
}

void Supervisor::command_exited() {
  stopwatch_.lap("command");
  happen(RunEvent::command_exited);
}

void Supervisor::tree_gone() {
  look_.reset();
  if (progress_.tree_gone) return;
  stopwatch_.lap("tree_gone");
  happen(RunEvent::tree_gone);
}

void Supervisor::output(const PumpStanding& standing) {
  reader_slow_ = standing.reader_slow;
  if (standing.output_exceeded) happen(RunEvent::output_exceeded);
  if (standing.streams_closed) happen(RunEvent::streams_closed);
}

// Looks again at the earliest moment at which the tree can have used up its CPU time, running on
// every core at once.
void Supervisor::cpu_time(std::uint64_t used_us) {
  if (!limits_.cpu_time_ms || progress_.state != RunState::running) return;
  const std::uint64_t limit_us = *limits_.cpu_time_ms * 1000;
  if (used_us >= limit_us) return happen(RunEvent::cpu_exhausted);
  constexpr std::uint64_t kLeastUs = 10'000;  // resolution of the clocks that backends read
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  cpu_ = Clock::now() + microseconds(std::max(kLeastUs, (limit_us - used_us) / cores));
}

void Supervisor::ask_cpu_time() {
  if (!limits_.cpu_time_ms || progress_.state != RunState::running) return;
  if (const auto used = tree_.cpu_time_us()) cpu_time(*used);
}

void Supervisor::look_at_clock() {
  const auto is_over = [&](Moment& moment) {
    if (finished() || !moment || Clock::now() < *moment) return false;
    moment.reset();
    return true;
  };
  if (is_over(wall_)) happen(RunEvent::wall_deadline);
  if (is_over(cpu_)) ask_cpu_time();
  if (is_over(look_)) kill();
  if (!is_over(phase_)) return;
  if (progress_.state == RunState::terminating) return happen(RunEvent::grace_over);
  happen(reader_slow_ ? RunEvent::reader_slow : RunEvent::drain_over);
}

Supervisor::Moment Supervisor::next() const {
  Moment next;
  for (const Moment& each : {wall_, cpu_, phase_, look_}) {
    if (each && (!next || *each < *next)) next = each;
  }
  return next;
}

}  // namespace bawn
