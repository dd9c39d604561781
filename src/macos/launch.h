// A Plan as an order to spawn: under sandbox-exec with its profile, or the command itself where the plan has no profile.
#pragma once

#include <string>
#include <string_view>

#include "macos/profile.h"
#include "plan/plan.h"
#include "posix/spawn.h"

namespace bawn::macos {

inline constexpr std::string_view kSandboxExec = "/usr/bin/sandbox-exec";

// Everything but the order's stdio. `sandbox_exec` is the path of the real one; tests have another.
[[nodiscard]] posix::SpawnOrder plan_spawn(const Plan& plan, const SandboxProfile& profile,
                                           std::string_view sandbox_exec = kSandboxExec);

// The name that a process has in the process table until it becomes the command; "" if it is the command at once.
[[nodiscard]] std::string forerunner(const Plan& plan, std::string_view sandbox_exec = kSandboxExec);

}  // namespace bawn::macos
