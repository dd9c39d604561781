// The profiles of seccomp/ as the build has them: as text, as values, and as filters for either
// architecture.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "linux/seccomp_profile.h"
#include "linux/syscall_names.h"

namespace bawn::test {

inline constexpr std::array kArchitectures = {seccomp::Architecture::x86_64,
                                              seccomp::Architecture::aarch64};

[[nodiscard]] std::string architecture_name(seccomp::Architecture architecture);

// Of a file that must be there.
[[nodiscard]] std::string file_text(const std::string& path);

// Where seccomp/ is.
[[nodiscard]] std::string profile_folder();

// `name` is that of the file in seccomp/, without .json.
[[nodiscard]] seccomp::SeccompProfile profile(const std::string& name);

// The layers, first to last, as one filter.
[[nodiscard]] std::vector<sock_filter> filter_of(const std::vector<std::string>& layers,
                                                 seccomp::Architecture architecture);

[[nodiscard]] seccomp_data make_call(std::uint32_t number, seccomp::Architecture architecture,
                                     const std::vector<std::uint64_t>& arguments = {});

// One line of syscalls.txt. A number is -1 where there is none.
struct KnownCall {
  std::string name;
  std::array<int, 2> numbers{};  // in the order of kArchitectures
};
[[nodiscard]] std::vector<KnownCall> known_calls();

}  // namespace bawn::test
