// What the kernel alone takes to show a program what bawn shows it: ids, a loopback, the same
// mounts and files, a root of their own and a filter, made by the process itself in the shortest
// way. Nothing is judged, read back, bounded or watched over: a measure, and no sandbox.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/mount_op.h"

namespace bawn::bench {

struct BareRoot {
  std::uint32_t uid = 0;  // the caller's, inside as outside
  std::uint32_t gid = 0;
  std::vector<MountOp> mounts;  // as plan_namespaces() has them
  std::string workspace;
  std::vector<std::string> files;  // to be seen besides, where they are
  std::span<const sock_filter> filter;
};

// The root that a run of preset `workspace` has.
[[nodiscard]] BareRoot plan_bare_root(std::string workspace, std::vector<std::string> files);

// For a process that is alone in new namespaces, and may share its memory with one that waits:
// allocates nothing. 0, or the errno of what failed.
[[nodiscard]] int enter_bare_root(const BareRoot& root);

}  // namespace bawn::bench
