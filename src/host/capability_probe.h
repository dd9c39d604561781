// Which capabilities this process has, and which privileges its own file gave it.
//
// Linux. Asks the kernel by capget() and not by libcap: every run asks, and libcap allocates memory
// for each answer.
#pragma once

#include "base/result.h"
#include "host/capability.h"

namespace bawn {

// The capabilities that are in effect for this thread; none if the kernel does not tell.
[[nodiscard]] CapabilitySet probe_capabilities();

// Privileges of this process that its caller does not have: the file of the program is set-user-id
// or set-group-id, or has file capabilities. Whatever the process opens with them, it opens for a
// caller who may not.
struct GainedPrivileges {
  bool user = false;
  bool group = false;
  CapabilitySet capabilities;

  [[nodiscard]] bool any() const { return user || group || capabilities.bits() != 0; }
};
// Right only at the start of the program, before it changes its ids or capabilities.
[[nodiscard]] GainedPrivileges probe_gained_privileges();

// Gives up what probe_gained_privileges() found, for good, and reads it back. Only for a process
// with one thread.
[[nodiscard]] Result<void> drop_privileges(const GainedPrivileges& gained);

// True if a program's file can give this process privileges: the kernel did when it started bawn,
// or would for root, which has no capabilities by its uid alone (SECBIT_NOROOT).
[[nodiscard]] bool is_given_file_privileges();

}  // namespace bawn
