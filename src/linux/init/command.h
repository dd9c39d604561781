// From clone to exec: the one function that turns a copy of init into the confined command.
#pragma once

#include "linux/init/messages.h"

namespace bawn::init {

struct Command {
  const ExecMessage* exec;
  const SetupMessage* setup;  // null outside namespaces
  const int* files;           // by Slot
  int cwd;
  std::int32_t init;  // its number as the command sees it; 0 from a pid namespace below
  int terminal;       // the private one, or -1
  Report* report;     // shared with init, which waits until exec: step and error tell a failure,
                      // readback the rest
  std::uint64_t* step_times;  // of the report; null if nobody asked for them
};

[[noreturn]] void become_command(const Command& command);

}  // namespace bawn::init
