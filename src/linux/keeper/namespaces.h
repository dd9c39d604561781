// What the keeper does in the namespaces that bawn put it into, apart from the file system: says which they are, becomes
// the user it was given, and names the host.
#pragma once

#include "linux/keeper/program.h"

namespace bawn::keeper {

struct NamespaceOrder {
  const Program* program;
  Readback* readback;
  std::uint64_t* stamps;  // null if nobody asked for them
};

struct NamespaceFailure {
  Step step;
  long error;  // 0: all went well
};

[[nodiscard]] NamespaceFailure furnish_namespaces(const NamespaceOrder& order);

// Nothing that is left to do needs one. 0 or a negative errno.
[[nodiscard]] long give_up_capabilities();

}  // namespace bawn::keeper
