// What the kernel says of a file, as a FileState.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "handoff/snapshot.h"

namespace bawn::handoff {

[[nodiscard]] inline std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

[[nodiscard]] inline FileState state_of(const struct stat& status) {
#ifdef __APPLE__
  const timespec& changed = status.st_ctimespec;
#else
  const timespec& changed = status.st_ctim;
#endif
  return {.device = static_cast<std::uint64_t>(status.st_dev),
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mode = status.st_mode,
          .changed_ns = nanoseconds(changed)};
}

}  // namespace bawn::handoff
