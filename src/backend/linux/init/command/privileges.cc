#include "backend/linux/init/command/privileges.h"

#include <linux/prctl.h>
#include <linux/securebits.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

constexpr int kMostCapabilities = 64;

// The capability sets of this thread (pid 0).
struct CapabilitySets {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3] = {};
};

}  // namespace

long verify_kept_capabilities() {
  std::uint32_t kept = 0;
  for (const int capability : kKeptCapabilities) kept |= 1U << capability;
  CapabilitySets sets;
  if (const long error = kernel(__NR_capget, &sets.header, sets.words); error < 0) return error;
  const long bits = kernel(__NR_prctl, PR_GET_SECUREBITS, 0, 0, 0, 0);
  if (bits < 0) return bits;
  const auto is = [](const __user_cap_data_struct& word, std::uint32_t wanted) {
    return word.effective == wanted && word.permitted == wanted && word.inheritable == wanted;
  };
  return is(sets.words[0], kept) && is(sets.words[1], 0) && (bits & SECBIT_NOROOT) != 0 ? 0
                                                                                        : kEperm;
}

// PR_CAPBSET_DROP is EINVAL for numbers after the last capability that the kernel knows.
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
  CapabilitySets sets;
  if (const long error = kernel(__NR_capset, &sets.header, sets.words); error < 0) return error;
  if (const long error = kernel(__NR_capget, &sets.header, sets.words); error < 0) return error;
  left = 0;
  for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; ++i) {
    const std::uint64_t any =
        sets.words[i].effective | sets.words[i].permitted | sets.words[i].inheritable;
    left |= any << (32 * i);
  }
  return 0;
}

}  // namespace bawn::init
