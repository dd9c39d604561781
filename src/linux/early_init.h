// The init of 'bawn run', started by the program's first instruction.
//
// On a virtual machine the C library takes longer to start than bawn takes to judge a request: it
// asks for the features of the processor, and the hypervisor has to answer. The kernel makes
// namespaces during that time. A program gets an early init by linking `bawn_entry` as its entry
// point, which only the executable bawn does, and only if its arguments look like a run in tier c.
// An early init that turns out to be useless is killed like any init without an exec message, at
// the latest by EarlyInitEnd in main(). It is only a guess: the arguments are parsed properly
// later.
#pragma once

#include "linux/early_setup.h"
#include "linux/vm_clone.h"

namespace bawn {

struct EarlyInit {
  long pid = 0;  // 0: there is no early init, and the other members mean nothing
  // Owned, like pidfd, by this struct until InitProcess takes them over.
  int control = 0;
  int pidfd = 0;
  VmClone vm_clone;
  EarlySetup setup;
};

// The early init of this process. The first InitProcess::start() takes it and sets pid to 0.
[[gnu::visibility("hidden")]] extern EarlyInit early_init;

}  // namespace bawn
