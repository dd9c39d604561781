// Giving a process in a new user namespace its ids, from outside, while it waits.
//
// `process` is a child that nobody has waited for yet, or its number could be another's by now.
// Safe in any program and from any thread: no file is left open, and no child is waited for but the
// ones started here.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/result.h"
#include "host/id_map.h"
#include "host/id_ranges.h"

namespace bawn {

// One user and one group each. Without privileges, `outside` can only be the caller itself.
[[nodiscard]] Result<void> write_id_maps(pid_t process, const IdExtent& user,
                                         const IdExtent& group);

// How long the two programs are waited for.
struct MappingWait {
  std::chrono::milliseconds most = std::chrono::seconds(10);  // for both together
  int cancel_fd =
      -1;  // borrowed; readable means: no longer (ErrorKind::cancelled). -1: nobody will ask
};

// Whole maps, written by the two programs and then compared with what the kernel shows. After a
// failure the namespace may have one of them and not the other: nothing must run in it. A program
// that is no longer waited for is killed. If this process itself is killed meanwhile, one that
// hangs lives on until it ends: it has other privileges than its parent, and for such a program the
// kernel forgets with whom it was to die.
[[nodiscard]] Result<void> map_id_ranges(pid_t process, const IdMaps& maps,
                                         const IdMappers& mappers, const MappingWait& wait = {});

}  // namespace bawn
