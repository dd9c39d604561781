// Programs that no policy with a sandbox can allow: those that raise privileges or leave the run,
// and those that pick the processes they kill by something other than a process id.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bawn {

// sudo and its like, and systemd-run, which would run the command outside of this run.
[[nodiscard]] bool raises_privilege(std::string_view name);

// pkill and its like, `kill` with a target that is no process id or means every process, `fuser
// -k`.
[[nodiscard]] bool kills_by_name(std::string_view spelled, std::span<const std::string> args);

}  // namespace bawn
