// Receives bawn's messages and their files: for a run in namespaces a SetupMessage, for every run
// an ExecMessage. messages.h describes the format.
//
// The messages lie in static buffers or in private mappings and stay valid until init exits. They
// are decoded (decode.h): everything in them has been checked, and each slot that they name has
// exactly one file. A malformed message is EINVAL.
#pragma once

#include "backend/linux/wire/decode.h"
#include "backend/linux/wire/messages.h"

namespace bawn::init {

struct Reception {
  bool in_namespaces = false;  // a SetupMessage came first
  std::uint32_t sequence = 0;  // of the last ExecMessage; 0: none was received
  Setup setup;                 // only in namespaces
  Exec exec;                   // only after an ExecMessage was received
  int files[slot_count];       // by Slot; owned by init; -1 for those that were not sent
  int trees[kMostTrees];       // the first exec.head.trees are owned by init

  Reception() {
    for (int& file : files) file = -1;
  }
};

// Waits for the first message: a SetupMessage, or outside namespaces the ExecMessage. slot_parent,
// bawn's pidfd, must come with it. 0 or a negative errno.
[[nodiscard]] long receive_setup(int control, Reception& reception);

// After a SetupMessage: waits for the ExecMessage. 0 or a negative errno; ESRCH if bawn ended
// instead.
[[nodiscard]] long receive_exec(int control, Reception& reception);

}  // namespace bawn::init
