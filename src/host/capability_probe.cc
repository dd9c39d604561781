#include "host/capability_probe.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "sys/call.h"

namespace bawn {
namespace {

// Of this thread. `data` is one word for each 32 capabilities.
struct CapabilityData {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};

  bool read() { return syscall(SYS_capget, &header, data.data()) == 0; }
  [[nodiscard]] std::uint64_t bits(std::uint32_t __user_cap_data_struct::*set) const {
    return std::uint64_t{data[1].*set} << 32 | data[0].*set;
  }
};

// An exec that is not privileged keeps the caller's ambient capabilities and no others.
std::uint64_t ambient_capabilities() {
  std::uint64_t ambient = 0;
  for (unsigned i = 0; i < 64; ++i) {
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1)
      ambient |= std::uint64_t{1} << i;
  }
  return ambient;
}

// Root has its capabilities by its uid, whatever the file says. A refused prctl counts as "not so".
bool has_capabilities_by_uid() {
  return getuid() == 0 && (prctl(PR_GET_SECUREBITS, 0, 0, 0, 0) & SECBIT_NOROOT) == 0;
}

}  // namespace

CapabilitySet probe_capabilities() {
  CapabilityData own;
  return own.read() ? CapabilitySet(own.bits(&__user_cap_data_struct::effective)) : CapabilitySet();
}

bool is_given_file_privileges() {
  // AT_SECURE alone says it for an ordinary user, without a system call. A security module can set
  // it too.
  return getauxval(AT_SECURE) != 0 || (getauxval(AT_UID) == 0 && !has_capabilities_by_uid());
}

GainedPrivileges probe_gained_privileges() {
  if (!is_given_file_privileges()) return {};
  GainedPrivileges gained{.user = geteuid() != getuid(), .group = getegid() != getgid()};
  if (has_capabilities_by_uid()) return gained;
  // If the kernel does not tell, every capability is possible.
  CapabilityData own;
  const std::uint64_t permitted =
      own.read() ? own.bits(&__user_cap_data_struct::permitted) : kAllCapabilities.bits();
  gained.capabilities = CapabilitySet(permitted & ~ambient_capabilities());
  return gained;
}

Result<void> drop_privileges(const GainedPrivileges& gained) {
  // The group first: without its user the process may not change it any more.
  const gid_t group = getgid();
  const uid_t user = getuid();
  if (gained.group)
    BAWN_TRY(sys::checked("setresgid", [&] { return setresgid(group, group, group); }));
  if (gained.user) BAWN_TRY(sys::checked("setresuid", [&] { return setresuid(user, user, user); }));
  CapabilityData none;
  if (gained.capabilities.bits() != 0) {
    BAWN_TRY(sys::checked("capset",
                          [&] { return syscall(SYS_capset, &none.header, none.data.data()); }));
  }
  if (probe_gained_privileges().any())
    return Error{.message = "the privileges are still there after they were given up"};
  return {};
}

}  // namespace bawn
