#include "backend/linux/spawn/namespace_holder.h"

#include <poll.h>

#include "backend/linux/init/clone_onto.h"

namespace bawn::linux_ {
namespace {

void live(void* argument) {
  struct pollfd parent = {
      .fd = static_cast<NamespaceHolder*>(argument)->parent, .events = POLLIN, .revents = 0};
  init::kernel(__NR_ppoll, &parent, 1, nullptr, nullptr, 0);
  init::leave(0);
}

}  // namespace

long begin_namespace_holder(NamespaceHolder& holder, int& pidfd) {
  return init::clone_onto({
                              .flags = CLONE_VM | CLONE_PIDFD | CLONE_NEWUSER,
                              .clone3_flags = 0,
                              .exit_signal = 0,
                              .stack = holder.stack,
                              .stack_size = sizeof holder.stack,
                              .entry = live,
                              .argument = &holder,
                              .pidfd = &pidfd,
                              .ended = nullptr,
                          })
      .task;
}

}  // namespace bawn::linux_
