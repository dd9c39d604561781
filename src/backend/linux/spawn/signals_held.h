// Blocks all signals of the calling thread for the life of the object.
//
// Used while a child shares our memory: a signal handler of the caller's must not run in the child.
// The old mask is restored by the destructor. Keep it short: signals to this thread wait meanwhile.
#pragma once

#include <signal.h>

namespace bawn::linux_ {

class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace bawn::linux_
