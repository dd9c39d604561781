// Owners of what libcap allocates.
#pragma once

#include <sys/capability.h>

#include <memory>

namespace bawn {

// libcap frees sets and texts by the same function.
struct LibcapDeleter {
  void operator()(void* object) const { cap_free(object); }
};

using CapabilityState = std::unique_ptr<_cap_struct, LibcapDeleter>;
using CapabilityText = std::unique_ptr<char, LibcapDeleter>;

}  // namespace bawn
