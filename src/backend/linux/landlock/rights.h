// The access rights that this kernel's Landlock knows, and those that a ruleset may grant.
//
// Values only: no system call, no allocation. `abi` is the kernel's Landlock ABI version, 1 or
// higher.
#pragma once

#include <linux/landlock.h>

#include <cstdint>

namespace bawn::linux_ {

// struct landlock_ruleset_attr as of ABI 6; the distribution's header may be older.
struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};

inline constexpr std::uint64_t kAccessTruncate = 1ULL << 14;  // ABI 3
inline constexpr std::uint64_t kAccessIoctlDev = 1ULL << 15;  // ABI 5
inline constexpr std::uint64_t kNetBindAndConnectTcp = 3;     // ABI 4
inline constexpr std::uint64_t kScopeAbstractAndSignal = 3;   // ABI 6

inline constexpr int kAbiRefer = 2, kAbiTruncate = 3, kAbiNet = 4, kAbiIoctl = 5, kAbiScope = 6;

// Rights for a readable path, a writable directory and a device node, and for what may be executed
// where not everything that is readable may be.
struct LandlockRights {
  std::uint64_t read = 0;
  std::uint64_t write = 0;
  std::uint64_t device = 0;
  std::uint64_t execute = 0;
};

[[nodiscard]] constexpr std::uint64_t landlock_known_access(int abi) {
  std::uint64_t access = (1ULL << 13) - 1;  // ABI 1
  if (abi >= kAbiRefer) access |= LANDLOCK_ACCESS_FS_REFER;
  if (abi >= kAbiTruncate) access |= kAccessTruncate;
  if (abi >= kAbiIoctl) access |= kAccessIoctlDev;
  return access;
}

// The rights that a ruleset may grant. Never those to make device nodes: a device node made in the
// workspace would be a way around the grants.
[[nodiscard]] constexpr LandlockRights landlock_rights(int abi) {
  constexpr std::uint64_t kRead =
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr std::uint64_t kDevice = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                    kAccessTruncate | kAccessIoctlDev;
  constexpr std::uint64_t kNever = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;
  const std::uint64_t known = landlock_known_access(abi);
  return {kRead, known & ~kNever, kDevice & known};
}

// The same for one run: if its programs are listed, reading and writing do not include execution.
[[nodiscard]] constexpr LandlockRights rights_of_run(int abi, bool programs_listed) {
  LandlockRights rights = landlock_rights(abi);
  if (!programs_listed) return rights;
  rights.execute = LANDLOCK_ACCESS_FS_EXECUTE;
  rights.read &= ~rights.execute;
  rights.write &= ~rights.execute;
  return rights;
}

// Attributes of a ruleset that refuses everything it can. Fields that the kernel does not know are
// zero; the kernel accepts trailing zeros whatever the size.
[[nodiscard]] constexpr RulesetAttributes ruleset_attributes(bool refuse_network, int abi) {
  return {.handled_access_fs = landlock_known_access(abi),
          .handled_access_net = abi >= kAbiNet && refuse_network ? kNetBindAndConnectTcp : 0,
          .scoped = abi >= kAbiScope ? kScopeAbstractAndSignal : 0};
}

}  // namespace bawn::linux_
