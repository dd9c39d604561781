// What bawn sends: for a run in namespaces a setup message, and for every run an exec message, with
// their files.
#pragma once

#include "linux/init/messages.h"

namespace bawn::init {

struct Reception {
  SetupMessage* setup = nullptr;  // null outside namespaces
  ExecMessage* exec = nullptr;
  int files[slot_count];  // by Slot; -1 for those that were not sent

  Reception() {
    for (int& file : files) file = -1;
  }
};

// Waits for the first message, with which the file of bawn's own process must come. Outside
// namespaces it is the exec message. 0 or a negative errno.
[[nodiscard]] long receive_setup(int control, Reception& reception);

// After a setup message: waits for the exec message, or for bawn's end: then there is none. 0 or a
// negative errno.
[[nodiscard]] long receive_exec(int control, Reception& reception);

}  // namespace bawn::init
