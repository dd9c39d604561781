// Programs that no policy with a sandbox can allow.
//
// Two kinds: programs that raise privileges or leave the run, and programs that choose the
// processes to kill by something other than a process id. Names decide here;
// validate/program/program_identity.h finds the names behind links and copies.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bawn {

// sudo and similar programs, and systemd-run, which would run the command outside of this run. `at`
// and `crontab` are missing on purpose: they work only as set-id programs, and no_new_privs
// disables set-id.
[[nodiscard]] bool raises_privilege(std::string_view name);

// pkill and similar programs; `fuser -k`; `kill` with a target that is no process id, or with -1,
// which means every process. A target that is only known at run time is accepted.
[[nodiscard]] bool kills_by_name(std::string_view spelled, std::span<const std::string> args);

}  // namespace bawn
