// Starts the command of a Plan on macOS: private directory, profile, process, in this order.
//
// It decides nothing. sandbox-exec executes the command under the profile; if the plan has no
// profile, the command is started directly. After an error nothing of the command has run and the
// private directory is removed.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "backend/macos/sandbox_profile.h"
#include "backend/posix/private_directory.h"
#include "backend/posix/spawn.h"
#include "base/result.h"
#include "plan/plan.h"

namespace bawn::macos {

inline constexpr std::string_view kSandboxExec = "/usr/bin/sandbox-exec";

struct Launched {
  posix::PrivateDirectory directory;
  SandboxProfile profile;
  posix::Spawned process;
};

// `stdio` is borrowed. `sandbox_exec` is the path of sandbox-exec; tests pass a fake one.
[[nodiscard]] Result<Launched> launch(const Plan& plan, const std::array<int, 3>& stdio,
                                      std::string_view sandbox_exec);

// The process-table name until the process becomes the command; "" if it is the command from the
// start.
[[nodiscard]] std::string forerunner(const Plan& plan, std::string_view sandbox_exec);

}  // namespace bawn::macos
