// The capabilities of Linux that decide something for bawn, and a set of capabilities as a value.
//
// A plain value that is built on every system: elsewhere the set is empty and decides nothing.
#pragma once

#include <cstdint>

namespace bawn {

// By the kernel's numbers.
enum class Capability : unsigned {
  chown = 0,          // give the command's pipes to its user
  setgid = 6,         // map groups of others, and call setgroups
  setuid = 7,         // map users of others
  setpcap = 8,        // empty the bounding set
  sys_admin = 21,     // exempt from RLIMIT_NPROC and from switches against user namespaces; idmap
                      // a mount
  sys_resource = 24,  // exempt from RLIMIT_NPROC
  setfcap = 31,       // map uid 0
};

// One bit for each capability.
class CapabilitySet {
 public:
  constexpr CapabilitySet() = default;
  constexpr explicit CapabilitySet(std::uint64_t bits) : bits_(bits) {}

  [[nodiscard]] constexpr bool has(Capability capability) const {
    return (bits_ >> static_cast<unsigned>(capability) & 1) != 0;
  }
  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_ = 0;
};

inline constexpr CapabilitySet kAllCapabilities(~std::uint64_t{0});

}  // namespace bawn
