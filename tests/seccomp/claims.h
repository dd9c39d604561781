// seccomp/claims.json as values: which answer each filter must give to which calls, and why the
// filters differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiles.h"

namespace bawn::linux_::test {

// A filter of the build: its name in seccomp/meson.build, and its layers.
struct Column {
  std::string name;
  std::vector<std::string> layers;
};

// A call by its name, or by a number that has no name yet.
struct ClaimedCall {
  std::string name;
  std::uint32_t number = 0;
  std::vector<std::uint64_t> arguments{};
  std::vector<bool> is_pointer{};  // for each argument: the kernel reads all 64 bits

  // The call on this architecture; nothing if the architecture does not have it.
  [[nodiscard]] std::optional<seccomp_data> on(seccomp::Architecture architecture) const;
  // The same call with bits set in the upper halves of its registers, which the kernel ignores.
  [[nodiscard]] std::optional<seccomp_data> wide_on(seccomp::Architecture architecture) const;
};

struct Claim {
  std::string text;
  std::vector<std::uint32_t> answers;  // what the filter of each column returns
  std::string reason;
  bool any_profile = false;
  std::vector<ClaimedCall> calls;
};

struct Claims {
  std::vector<Column> columns;
  std::vector<Claim> rows;
};

// Reads the file once. Throws if it contradicts itself.
[[nodiscard]] const Claims& claims();

// The SECCOMP_RET_* for an answer in the file: "ok" or the name of an errno.
[[nodiscard]] std::uint32_t action_named(const std::string& answer);

}  // namespace bawn::linux_::test
