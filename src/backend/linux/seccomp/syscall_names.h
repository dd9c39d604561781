// System call numbers by name, for the architectures that a filter can be compiled for.
//
// The table is libseccomp's; calls newer than the oldest supported libseccomp are listed in the
// .cc. The numbers do not come from the kernel headers of this machine: a filter must also decide
// calls that are newer than those headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bawn::linux_::seccomp {

enum class Architecture { x86_64, aarch64 };

#if defined(__x86_64__)
inline constexpr Architecture kNativeArchitecture = Architecture::x86_64;
#elif defined(__aarch64__)
inline constexpr Architecture kNativeArchitecture = Architecture::aarch64;
#else
#error "no seccomp filters for this architecture"
#endif

// AUDIT_ARCH_*, the value of seccomp_data.arch that says which table a call number belongs to.
[[nodiscard]] std::uint32_t audit_architecture(Architecture architecture);

// Whether any architecture has, or had, a call of this name.
[[nodiscard]] bool is_syscall(const std::string& name);

// Empty if this architecture has no such call.
[[nodiscard]] std::optional<std::uint32_t> syscall_number(const std::string& name,
                                                          Architecture architecture);

}  // namespace bawn::linux_::seccomp
