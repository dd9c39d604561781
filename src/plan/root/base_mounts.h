// The base mounts: the MountOps that every tier c root has, independent of the request.
//
// Pure. The list depends on the policy only by BaseMountChoice; do not add anything else that does.
#pragma once

#include <vector>

#include "plan/root/mount_op.h"

namespace bawn {

// What a run needs beside the mounts that all roots have.
struct BaseMountChoice {
  bool private_tmp = false;      // a policy with filesystem.tmp: private
  bool host_root = false;        // the command has host uid 0, whatever its uid inside
  bool inner_root = false;       // the command has uid 0 inside, and init is pid 1
  bool programs_listed = false;  // nothing may be executed or mapped but what later mounts permit
};

// In the order in which init makes them.
[[nodiscard]] std::vector<MountOp> base_mounts(const BaseMountChoice& choice);

}  // namespace bawn
