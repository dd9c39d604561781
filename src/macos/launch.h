// From a Plan to a running command: its private directory, its profile and its process, in this
// order.
//
// Nothing is decided here. The command is started by sandbox-exec with the profile, or itself where
// the plan has none.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "macos/sandbox_profile.h"
#include "plan/plan.h"
#include "posix/private_directory.h"
#include "posix/spawn.h"

namespace bawn::macos {

inline constexpr std::string_view kSandboxExec = "/usr/bin/sandbox-exec";

// What the command gets. Borrowed.
struct Stdio {
  int in = -1;
  int out = -1;
  int err = -1;
};

struct Launched {
  posix::PrivateDirectory directory;
  SandboxProfile profile;
  posix::Spawned process;
};

// An error if nothing ran. `sandbox_exec` is the path of the real one; tests have another.
[[nodiscard]] Result<Launched> launch(const Plan& plan, const Stdio& stdio,
                                      std::string_view sandbox_exec);

// The name that a process has in the process table until it becomes the command; "" if it is the
// command at once.
[[nodiscard]] std::string forerunner(const Plan& plan, std::string_view sandbox_exec);

}  // namespace bawn::macos
