// What init does in the namespaces that bawn put it into, apart from the file system: says which
// they are, becomes the user it was given, and names the host.
#pragma once

#include "linux/init/messages.h"

namespace bawn::init {

struct NamespaceOrder {
  const SetupMessage* setup;
  Readback* readback;
  std::uint64_t* step_times;  // null if nobody asked for them
};

struct NamespaceFailure {
  Step step;
  long error;  // 0: all went well
};

[[nodiscard]] NamespaceFailure furnish_namespaces(const NamespaceOrder& order);

// Whether those that were read are not the caller's, which the exec message names. 0 or a negative
// errno.
[[nodiscard]] long compare_namespaces(const ExecMessage& exec, const Readback& readback);

// The inode number out of a link like "net:[4026531833]". It is at hand there; to look at the file
// behind the link, the kernel would have to make one. 0 or a negative errno.
[[nodiscard]] long read_namespace(int directory, const char* name, std::uint64_t& inode);

}  // namespace bawn::init
