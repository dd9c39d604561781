// System calls by name, for the architectures a filter can be made for.
//
// libseccomp has the table; what is newer than the oldest libseccomp we build with is listed in the
// .cc. Numbers, and not the names of the running kernel's headers: a filter must decide calls that
// this machine cannot even spell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bawn::seccomp {

enum class Architecture { x86_64, aarch64 };

#if defined(__x86_64__)
inline constexpr Architecture kNativeArchitecture = Architecture::x86_64;
#elif defined(__aarch64__)
inline constexpr Architecture kNativeArchitecture = Architecture::aarch64;
#else
#error "no seccomp filters for this architecture"
#endif

// The number by which seccomp_data.arch says which table a call's number belongs to.
[[nodiscard]] std::uint32_t audit_architecture(Architecture architecture);

// Whether some architecture has, or had, a call of this name.
[[nodiscard]] bool is_syscall(const std::string& name);

// Empty where this architecture has no such call.
[[nodiscard]] std::optional<std::uint32_t> syscall_number(const std::string& name,
                                                          Architecture architecture);

}  // namespace bawn::seccomp
