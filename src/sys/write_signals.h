// Writing without being killed for it.
//
// write() raises SIGPIPE when the reader is gone and SIGXFSZ beyond the file size limit, and both
// end the program by default. This program may be a library inside another, so it changes no
// disposition: it blocks the two in the calling thread, and before unblocking takes away what its
// own writes raised. A signal that was pending before, or that the caller had blocked, is left as
// it was.
#pragma once

#include <signal.h>

namespace bawn::sys {

class WriteSignalBlock {
 public:
  WriteSignalBlock();
  ~WriteSignalBlock();
  WriteSignalBlock(const WriteSignalBlock&) = delete;
  WriteSignalBlock& operator=(const WriteSignalBlock&) = delete;

 private:
  sigset_t ours_;      // those of the two that were not pending before
  sigset_t previous_;  // the thread's mask
};

}  // namespace bawn::sys
