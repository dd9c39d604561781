// Measures the kernel's own cost of showing a program what bawn shows it: id maps, loopback, the
// same mounts and files, a new root and a seccomp filter, made by the process itself in the
// shortest way. Nothing is validated, read back, limited or supervised: this is a measurement, not
// a sandbox.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/root/mount_op.h"

namespace bawn::bench {

struct BareRoot {
  std::uint32_t uid = 0;  // the caller's, mapped to itself
  std::uint32_t gid = 0;
  std::vector<MountOp> mounts;  // from plan_setup()
  std::string workspace;
  std::vector<std::string> files;  // bound read-only at their host paths
  std::span<const sock_filter> filter;
};

// The root of a run with preset `workspace`.
[[nodiscard]] BareRoot plan_bare_root(std::string workspace, std::vector<std::string> files);

// Call in a child in new namespaces. The child may share its memory with a waiting parent
// (CLONE_VM), so this allocates nothing. Returns 0, or the errno of the first failure.
[[nodiscard]] int enter_bare_root(const BareRoot& root);

}  // namespace bawn::bench
