// A seccomp profile as written: the OCI format, in JSON with comments allowed.
//
// Every key must be understood; otherwise the profile is refused, with all problems at once. A key
// that was skipped could be the one that forbids something.
//
// How a profile decides a call; the first that applies:
//   1. a refusing rule whose conditions hold (the first in the file, if several do),
//   2. an allowing rule whose conditions hold,
//   3. the rule without conditions,
//   4. the default.
// A call of another architecture (i386, x32, 32-bit ARM) kills the process, whatever the profile
// says.
//
// Not supported from OCI: actions that need a listener, a tracer or a log reader; `flags`; and two
// conditions on one argument in one rule, which runtimes interpret differently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace bawn::linux_::seccomp {

using Action = std::uint32_t;  // return value of a filter: SECCOMP_RET_* with its data

enum class Comparison {
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  masked_equal
};

// Compares all 64 bits of the register. Of an int the kernel uses only 32, and the others may hold
// anything: a condition on an int must be masked_equal.
struct Condition {
  unsigned argument = 0;  // 0 to 5
  Comparison comparison = Comparison::equal;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};  // masked_equal: (argument & mask) == value

  bool operator==(const Condition&) const = default;
};

struct Rule {
  std::vector<std::string> names;  // all known to syscall_names.h
  Action action = 0;
  std::vector<Condition> conditions;  // all must hold; none: always
};

struct SeccompProfile {
  Action default_action = 0;
  std::vector<Rule> rules;
};

// Pure. The error has one line for each problem.
[[nodiscard]] Result<SeccompProfile> parse_seccomp_profile(std::string text);

}  // namespace bawn::linux_::seccomp
