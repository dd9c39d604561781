// The profiles in seccomp/ for tests: as text, as values, and compiled for either architecture. The
// environment must name their folder; run these tests with `meson test`.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/linux/seccomp/profile.h"
#include "backend/linux/seccomp/syscall_names.h"

namespace bawn::linux_::test {

inline constexpr std::array kArchitectures = {seccomp::Architecture::x86_64,
                                              seccomp::Architecture::aarch64};

[[nodiscard]] std::string architecture_name(seccomp::Architecture architecture);

// The whole file. Throws if it is missing or empty.
[[nodiscard]] std::string file_text(const std::string& path);

// The folder seccomp/, from BAWN_TEST_PROFILES.
[[nodiscard]] std::string profile_folder();

// Parses seccomp/NAME.json. Throws if it is invalid.
[[nodiscard]] seccomp::SeccompProfile profile(const std::string& name);

// Compiles the layers, first to last, into one filter.
[[nodiscard]] std::vector<sock_filter> filter_of(const std::vector<std::string>& layers,
                                                 seccomp::Architecture architecture);

// A made-up system call for evaluate() in bpf_machine.h.
[[nodiscard]] seccomp_data make_call(std::uint32_t number, seccomp::Architecture architecture,
                                     const std::vector<std::uint64_t>& arguments = {});

// One line of syscalls.txt. A number is -1 if the architecture does not have the call.
struct KnownCall {
  std::string name;
  std::array<int, 2> numbers{};  // in the order of kArchitectures
};
[[nodiscard]] std::vector<KnownCall> known_calls();

}  // namespace bawn::linux_::test
