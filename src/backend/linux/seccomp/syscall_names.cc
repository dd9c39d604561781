#include "backend/linux/seccomp/syscall_names.h"

#include <linux/audit.h>
#include <seccomp.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace bawn::linux_::seccomp {
namespace {

struct NewerCall {
  std::string_view name;
  std::uint32_t number;
  bool only_on_x86_64 = false;
};

// Calls that Linux 6.2 to 6.18 added. From 424 on all architectures use the same numbers.
constexpr NewerCall kNewerCalls[] = {
    {"uretprobe", 335, true},   {"uprobe", 336, true},
    {"cachestat", 451},         {"fchmodat2", 452},
    {"map_shadow_stack", 453},  {"futex_wake", 454},
    {"futex_wait", 455},        {"futex_requeue", 456},
    {"statmount", 457},         {"listmount", 458},
    {"lsm_get_self_attr", 459}, {"lsm_set_self_attr", 460},
    {"lsm_list_modules", 461},  {"mseal", 462},
    {"setxattrat", 463},        {"getxattrat", 464},
    {"listxattrat", 465},       {"removexattrat", 466},
    {"open_tree_attr", 467},    {"file_getattr", 468},
    {"file_setattr", 469},
};

const NewerCall* newer_call(std::string_view name) {
  const auto* found = std::ranges::find(kNewerCalls, name, &NewerCall::name);
  return found == std::end(kNewerCalls) ? nullptr : found;
}

// Negative for a call that the architecture does not have: libseccomp uses pseudo numbers for
// those.
int library_number(const std::string& name, Architecture architecture) {
  return seccomp_syscall_resolve_name_arch(audit_architecture(architecture), name.c_str());
}

}  // namespace

std::uint32_t audit_architecture(Architecture architecture) {
  return architecture == Architecture::x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
}

bool is_syscall(const std::string& name) {
  if (name.find('\0') != std::string::npos) return false;  // libseccomp would stop there
  return newer_call(name) != nullptr ||
         library_number(name, Architecture::x86_64) != __NR_SCMP_ERROR;
}

std::optional<std::uint32_t> syscall_number(const std::string& name, Architecture architecture) {
  if (const NewerCall* call = newer_call(name)) {
    if (call->only_on_x86_64 && architecture != Architecture::x86_64) return std::nullopt;
    return call->number;
  }
  const int number = library_number(name, architecture);
  if (number < 0) return std::nullopt;
  return static_cast<std::uint32_t>(number);
}

}  // namespace bawn::linux_::seccomp
