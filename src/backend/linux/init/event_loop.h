// Init's event loop, from the command's start to the end of its last process.
//
// It waits for ended children, for ControlCodes from bawn and for bawn's end, and sends Reports. It
// promises that no process of the run outlives it: it exits only when wait() finds no child left.
// If bawn ends, it kills the tree. Single-threaded.
#pragma once

#include <cstdint>

#include "backend/linux/init/private_directory.h"
#include "backend/linux/init/terminal.h"
#include "backend/linux/wire/messages.h"

namespace bawn::init {

inline constexpr int kControl = 0;  // the socket to bawn, init's only file when it starts

// What init supervises. The file descriptors stay open until init exits; -1 means there is none.
struct InitState {
  bool in_namespaces = false;
  bool scratch_is_bounded = false;
  std::int32_t self = 0;           // init's own pid
  std::int32_t command = 0;        // the command's pid; 0 once it has been waited for
  int parent = -1;                 // pidfd of bawn
  int children = -1;               // signalfd for SIGCHLD
  int proc = -1;                   // /proc, to find the processes and their CPU time
  int cgroup_kill = -1;            // cgroup.kill of the run's cgroup
  int input = -1;                  // the command's stdin, if it is a host_file
  std::uint64_t deadline_ns = 0;   // by CLOCK_MONOTONIC, one second after bawn's; 0: none
  std::uint64_t cpu_limit_us = 0;  // 0: none
  Pty terminal;
  PrivateDirectory private_directory;
};

// Serves until no process of the run is left, then sends tree_gone, removes the private directory
// and exits. `report` is borrowed and is reused for every report.
[[noreturn]] void run_event_loop(const InitState& state, Report& report);

// Sets the kind and the resource usage of all processes reaped so far. send() then also sends it;
// it never blocks, and a report that does not fit into the socket is lost.
void prepare(Report& report, ReportKind kind);
void send(Report& report, ReportKind kind);

}  // namespace bawn::init
