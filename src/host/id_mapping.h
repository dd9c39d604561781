// Giving a process in a new user namespace its ids, from outside, while it waits.
//
// `process` is a child that nobody has waited for yet, or its number could be another's by now. Safe in any program and from any
// thread: no file is left open, and no child is waited for but the ones started here.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/result.h"
#include "host/id_map.h"
#include "host/id_ranges.h"

namespace bawn {

// One user and one group each. Without privileges, `outside` can only be the caller itself.
[[nodiscard]] Result<void> write_id_maps(pid_t process, const IdExtent& user, const IdExtent& group);

// Whole maps, written by the two programs and then compared with what the kernel shows. After a failure the namespace may have
// one of them and not the other: nothing must run in it.
[[nodiscard]] Result<void> map_id_ranges(pid_t process, const IdMaps& maps, const IdMappers& mappers,
                                         std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace bawn
