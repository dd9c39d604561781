// The init of 'bawn run', started by the program's first instruction.
//
// On a virtual machine the C library takes longer to begin (it asks the processor what it can do,
// and the hypervisor answers) than bawn takes to judge a request. The kernel makes namespaces in
// that time instead. Whoever links `bawn_entry` as the entry of a program (the executable bawn
// alone) has such an init when the words look as if there were a use for it; if it turns out that
// there is none, it is ended like any init without an exec message, by an EarlyInitEnd in main at
// the latest.
#pragma once

#include "linux/early_setup.h"
#include "linux/vm_clone.h"

namespace bawn {

struct EarlyInit {
  long pid = 0;  // 0: there is none, and the rest means nothing
  int control = 0;
  int pidfd = 0;
  VmClone vm_clone;
  EarlySetup setup;
};

// Of this process. Taken by the first InitProcess::start().
[[gnu::visibility("hidden")]] extern EarlyInit early_init;

}  // namespace bawn
