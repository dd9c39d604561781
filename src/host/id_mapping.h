// Writes the id maps of a child that waits in a new user namespace.
//
// `process` must be a child that has not been waited for: otherwise its pid could already belong to
// another process. Safe in any program and from any thread: no file stays open, and only children
// started here are waited for.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/result.h"
#include "host/id_map.h"
#include "host/id_ranges.h"

namespace bawn {

// Maps one user and one group, by writing to /proc/PID. Without privileges, `outside` can only be
// the caller's own id.
[[nodiscard]] Result<void> write_id_maps(pid_t process, const IdExtent& user,
                                         const IdExtent& group);

// How long map_id_ranges() waits for newuidmap and newgidmap.
struct MappingWait {
  std::chrono::milliseconds most = std::chrono::seconds(10);  // for both together
  // Borrowed. Readable means: stop waiting (ErrorKind::cancelled). -1: cannot be cancelled.
  int cancel_fd = -1;
};

// Lets newuidmap and newgidmap write whole maps, then compares /proc/PID/uid_map and gid_map with
// `maps`. After a failure the namespace may have only one of the two maps, so nothing may run in
// it. A program that exceeds `wait` is killed. If bawn itself is killed meanwhile, a hanging
// program survives it: the kernel clears PR_SET_PDEATHSIG when a setuid program is executed, so
// nothing ties its life to bawn's.
[[nodiscard]] Result<void> map_id_ranges(pid_t process, const IdMaps& maps,
                                         const IdMappers& mappers, const MappingWait& wait = {});

}  // namespace bawn
