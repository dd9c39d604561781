// Which users a run in its own user namespace has: written by bawn, from outside, while the keeper waits.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/result.h"

namespace bawn {

struct IdMap {
  std::uint32_t inside = 0;
  std::uint32_t outside = 0;  // on the host
};

// One user and one group. Without privileges, `outside` can only be the caller itself.
[[nodiscard]] Result<void> write_id_maps(pid_t process, const IdMap& user, const IdMap& group);

}  // namespace bawn
