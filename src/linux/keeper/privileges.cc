#include "linux/keeper/privileges.h"

#include <linux/capability.h>
#include <linux/prctl.h>

#include "linux/keeper/kernel.h"

namespace bawn::keeper {
namespace {

constexpr int kMostCapabilities = 64;

}  // namespace

// The kernel says EINVAL behind the last one that it knows.
long empty_bounding_set() {
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    const long dropped = kernel(__NR_prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
    if (dropped == kEinval && capability > CAP_SETPCAP) return 0;
    if (dropped < 0) return dropped;
  }
  return 0;
}

std::uint64_t bounding_set() {
  std::uint64_t set = 0;
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    const long there = kernel(__NR_prctl, PR_CAPBSET_READ, capability, 0, 0, 0);
    if (there < 0) break;
    if (there == 1) set |= std::uint64_t{1} << capability;
  }
  return set;
}

long drop_capabilities(std::uint64_t& left) {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (const long error = kernel(__NR_capset, &header, sets); error < 0) return error;
  if (const long error = kernel(__NR_capget, &header, sets); error < 0) return error;
  left = 0;
  for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; ++i) {
    const std::uint64_t any = sets[i].effective | sets[i].permitted | sets[i].inheritable;
    left |= any << (32 * i);
  }
  return 0;
}

}  // namespace bawn::keeper
