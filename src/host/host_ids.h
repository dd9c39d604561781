// Host ids of runs that root starts: a run is to have one that owns nothing on the host.
//
// Then the host's mounts must be idmapped for it. Values, built on every system; probe.h asks the
// kernel.
#pragma once

#include <string>

#include "base/file_owner.h"
#include "host/capability.h"

namespace bawn {

struct HostIdFacts {
  std::string lack;           // why no run can have one; "" if nothing is known against it
  FileOwner workspace_owner;  // looked up only if it cannot; root if the workspace is private
  bool makes_trees = false;   // if it cannot: bawn can open the host's mounts for init all the same
};

// Why root with these capabilities cannot give such an id; "" if nothing is known against it.
[[nodiscard]] std::string lack_of_host_ids(CapabilitySet capabilities, const HostIdFacts& facts);

}  // namespace bawn
