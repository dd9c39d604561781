// Init's life after the start: waits for the command's processes, for bawn's words and for bawn's
// end, and reports.
#pragma once

#include <cstdint>

#include "linux/init/messages.h"
#include "linux/init/private_directory.h"
#include "linux/init/terminal.h"

namespace bawn::init {

inline constexpr int kControl = 0;  // the socket to bawn, the only file init is born with

// What init has to look after, and by what.
struct InitState {
  bool in_namespaces = false;
  bool scratch_is_bounded = false;
  std::int32_t self = 0;
  std::int32_t command = 0;        // the command; 0 once it has been waited for
  int parent = -1;                 // pidfd of bawn
  int children = -1;               // signalfd: some child has ended or stopped
  int proc = -1;                   // to look at the processes; -1 if there is none
  int cgroup_kill = -1;            // cgroup.kill of the run's own
  int input = -1;                  // the command's stdin, if bawn wants to know how far it was read
  std::uint64_t deadline_ns = 0;   // by CLOCK_MONOTONIC, some time after bawn's own; 0: none
  std::uint64_t cpu_limit_us = 0;  // 0: none
  Pty terminal;
  PrivateDirectory private_directory;
};

// Until nothing of the tree is left.
[[noreturn]] void run_event_loop(const InitState& state, Report& report);

// Fills in what has been used so far.
void prepare(Report& report, ReportKind kind);
void send(Report& report, ReportKind kind);

}  // namespace bawn::init
