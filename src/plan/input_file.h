// A file that bawn has read to decide about a run: a policy, a seccomp profile.
//
// Device and inode identify the file that was read, even if its name now leads to another file.
// plan/input_protection.h keeps such files from being changed by the command.
#pragma once

#include <cstdint>
#include <string>

namespace bawn {

struct InputFile {
  // The option or key that named it: "--policy", "BAWN_POLICY", "system_calls.profile".
  std::string origin;
  std::string path;  // absolute, links not resolved
  // The file that was read; its name may lead to another file by now.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

}  // namespace bawn
