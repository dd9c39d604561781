// From clone to exec: the one function that turns the cloned child into the confined command.
//
// It runs in a child that shares init's memory (CLONE_VM | CLONE_VFORK) while init waits for the
// exec. So the child writes its result straight into init's Report. Everything here is borrowed
// from init.
#pragma once

#include "backend/linux/wire/decode.h"

namespace bawn::init {

struct Command {
  const Exec* exec;
  const Setup* setup;         // null outside namespaces
  const int* files;           // by Slot
  int cwd;                    // directory fd
  std::int32_t init;          // init's pid as the command sees it; 0 in a nested pid namespace
  int terminal;               // slave of the private terminal, or -1
  Report* report;             // on failure step, error and index; readback in any case
  std::uint64_t* step_times;  // those of the report; null if timing was not requested
};

// Takes the steps from Step::nested_pid_namespace to Step::execute in order and reads each back.
// Ends in the command's exec with report->step == Step::none, or exits with 1 after it has written
// the failed step into the report. A step that is required is never skipped.
[[noreturn]] void become_command(const Command& command);

}  // namespace bawn::init
