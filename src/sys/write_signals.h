// Keeps write() from killing the process.
//
// write() raises SIGPIPE if the reader is gone and SIGXFSZ beyond RLIMIT_FSIZE; both end the
// process by default. bawn may be a library in another program, so it must not change signal
// dispositions. Instead this class blocks both signals in the calling thread, and before it
// unblocks them it consumes those that its writes have raised. A signal that was already pending
// stays pending, and a signal that the caller had blocked stays blocked.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string_view>

namespace bawn::sys {

// Create it on the stack of the thread that writes, and destroy it in the same thread.
class WriteSignalBlock {
 public:
  WriteSignalBlock();
  ~WriteSignalBlock();
  WriteSignalBlock(const WriteSignalBlock&) = delete;
  WriteSignalBlock& operator=(const WriteSignalBlock&) = delete;

 private:
  sigset_t ours_;      // those of the two that were not pending before
  sigset_t previous_;  // the thread's signal mask before
};

// write(2), restarted after EINTR, without the two signals.
[[nodiscard]] ssize_t write_quietly(int fd, std::string_view bytes);

}  // namespace bawn::sys
