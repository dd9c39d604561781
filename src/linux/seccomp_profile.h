// A seccomp profile as written: the OCI format, in JSON with comments allowed.
//
// Everything in the text must be understood, or the profile is refused with every problem at once:
// a key that was skipped could have been the one that forbids something.
//
// What a profile says about a call, most exact first and a refusal before a permission:
//   1. a refusing rule whose conditions hold (the first in the file, if several do),
//   2. an allowing rule whose conditions hold,
//   3. the rule without conditions,
//   4. the default.
// A call of another architecture (i386, x32, 32-bit ARM) ends the process, whatever the profile
// says.
//
// Left out of OCI: actions that need a listener, a tracer or a log reader; `flags`; and two
// conditions on one argument in one rule, which runtimes disagree about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace bawn::seccomp {

using Action = std::uint32_t;  // what a filter returns: SECCOMP_RET_* with its data

enum class Comparison {
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  masked_equal
};

// Over all 64 bits of the register. The kernel takes only 32 of an int, and the rest may hold
// anything, so a condition on an int is a masked one.
struct Condition {
  unsigned argument = 0;  // 0 to 5
  Comparison comparison = Comparison::equal;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};  // of masked_equal: (argument & mask) == value

  bool operator==(const Condition&) const = default;
};

struct Rule {
  std::vector<std::string> names;  // all of them known
  Action action = 0;
  std::vector<Condition> conditions;  // all must hold; none: always
};

struct SeccompProfile {
  Action default_action = 0;
  std::vector<Rule> rules;
};

[[nodiscard]] Result<SeccompProfile> parse_seccomp_profile(std::string text);

}  // namespace bawn::seccomp
