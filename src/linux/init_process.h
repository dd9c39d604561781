// An init that waits for its exec message.
//
// It can be started before it is known what is to run: making namespaces takes the kernel longer
// than bawn needs to judge a request, and the two go on side by side. An init that gets no exec
// message has shown nobody anything and ends without a trace.
//
// Safe in any program and from any thread: no fork (the caller's memory is shared only until init
// is exec'd, and it touches nothing there but a stack of its own), no signal handler, no change to
// the caller's own process.
#pragma once

#include <sys/types.h>

#include <memory>

#include "base/result.h"
#include "linux/early_setup.h"
#include "linux/vm_clone.h"
#include "sys/fd.h"

namespace bawn {

// Ended and waited for when it is dropped, or every launch that fails would leave a zombie to a
// caller that never looks.
class InitProcess {
 public:
  // Does not wait for the exec. Takes the early one (early_init.h) if there is one, in the right
  // namespaces and of any use. ErrorKind::unsupported if the host has no namespaces to give; not if
  // it is only short of something.
  [[nodiscard]] static Result<InitProcess> start(NamespaceSet namespaces);

  // Ends and waits for an early one that nobody has taken.
  static void end_early();

  // Ends this one, which has been told what it should not have been, for another one in the same
  // namespaces.
  [[nodiscard]] Result<void> start_again();

  // What an early one has been told already; null if nothing.
  [[nodiscard]] const EarlySetup* early_setup() const { return early_setup_; }

  // Waits for the exec, which may have failed.
  [[nodiscard]] Result<void> arrive();

  InitProcess(InitProcess&&) = default;
  InitProcess& operator=(InitProcess&& other) noexcept;
  InitProcess(const InitProcess&) = delete;
  InitProcess& operator=(const InitProcess&) = delete;
  ~InitProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int control() const { return control_.get(); }

  // To whoever looks after it from now on, once it has arrived.
  [[nodiscard]] Fd take_control() { return std::move(control_); }
  [[nodiscard]] Fd take_handle() { return std::move(handle_); }

 private:
  struct VmCloneEnd {
    void operator()(VmClone* vm_clone) const;
  };

  InitProcess() = default;
  static InitProcess adopt_early();

  std::unique_ptr<VmClone, VmCloneEnd> vm_clone_;  // none once it has arrived
  Fd control_;                                     // SOCK_SEQPACKET
  Fd handle_;                                      // pidfd; none once it was taken
  const EarlySetup* early_setup_ = nullptr;
  pid_t pid_ = -1;
};

// For the main function of a program that links `bawn_entry`: however it is left, no early init
// outlives it. One whose socket merely closes lives on for a moment, and is then a zombie wherever
// process 1 waits for nobody.
struct EarlyInitEnd {
  EarlyInitEnd() = default;
  EarlyInitEnd(const EarlyInitEnd&) = delete;
  EarlyInitEnd& operator=(const EarlyInitEnd&) = delete;
  ~EarlyInitEnd() { InitProcess::end_early(); }
};

}  // namespace bawn
