// An init process that waits for its exec message.
//
// It can be started before it is known what is to run: the kernel takes longer to make namespaces
// than bawn takes to judge a request, and both happen at the same time. Init that never gets an
// exec message has changed nothing on the host and ends without a trace.
//
// Safe in any program and from any thread: no fork, no signal handler, no change to the caller's
// process. Init shares the caller's memory only until its exec, and writes there only to its stack
// and its VmClone.
#pragma once

#include <sys/types.h>

#include <memory>

#include "backend/linux/spawn/vm_clone.h"
#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// Owns the process. The destructor kills and reaps it, unless take_handle() was called: otherwise
// every failed launch would leave a zombie to a caller that never waits. One thread at a time.
class InitProcess {
 public:
  // Does not wait for the exec; see arrive(). ErrorKind::unsupported if the host can never give
  // namespaces; a temporary shortage is another kind.
  [[nodiscard]] static Result<InitProcess> start(NamespaceSet namespaces);

  // Waits until init has exec'd. An error if the exec failed. Needed before take_control(); a
  // second call does nothing.
  [[nodiscard]] Result<void> arrive();

  InitProcess(InitProcess&&) = default;
  // Swaps; the old process is killed when `other` is destroyed.
  InitProcess& operator=(InitProcess&& other) noexcept;
  InitProcess(const InitProcess&) = delete;
  InitProcess& operator=(const InitProcess&) = delete;
  ~InitProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int control() const { return control_.get(); }  // borrowed
  // False: by clone, because clone3 was refused (clone_onto.h).
  [[nodiscard]] bool was_made_by_clone3() const { return by_clone3_; }

  // Hand the process over to its supervisor, after arrive(). The destructor then does nothing.
  [[nodiscard]] Fd take_control() { return std::move(control_); }
  [[nodiscard]] Fd take_handle() { return std::move(handle_); }

 private:
  struct VmCloneEnd {
    void operator()(VmClone* vm_clone) const;
  };

  InitProcess() = default;

  std::unique_ptr<VmClone, VmCloneEnd> vm_clone_;  // null after arrive()
  Fd control_;                                     // SOCK_SEQPACKET
  Fd handle_;                                      // pidfd; empty after take_handle()
  pid_t pid_ = -1;
  bool by_clone3_ = false;
};

}  // namespace bawn::linux_
