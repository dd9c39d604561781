// The checks of `bawn doctor`, one row each.
//
// Each check performs the real operation at the smallest size, usually in a child (doctor/trial.h),
// and removes everything it made. They fork, so the process must have one thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "doctor/cause.h"
#include "doctor/trial.h"

namespace bawn {

// Has the fields of CheckResult that a check itself can fill in.
struct CheckAnswer {
  bool works = false;
  std::string evidence;
  std::string fix;
};

// A failed answer: evidence "STEP: errno: reason", and the fix of `cause`.
[[nodiscard]] CheckAnswer refused(const Trial& trial, const Cause& cause);

using CheckFunction = CheckAnswer (*)(const HostRestrictions& restrictions);

enum class For { tier_b, tier_c, both, neither };

struct Check {
  std::string_view name;
  For needed;
  std::string_view above;      // if this check fails, the row's check is skipped; "" for none
  std::string_view otherwise;  // what bawn does if the feature is missing
  CheckFunction check;
};

inline constexpr std::string_view kUserNamespace = "user-namespace";

// In the order in which they are made: a check comes after those above it.
[[nodiscard]] std::span<const Check> namespace_checks();
[[nodiscard]] std::span<const Check> kernel_checks();
[[nodiscard]] std::span<const Check> privilege_checks();

}  // namespace bawn
