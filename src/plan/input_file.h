// A file that bawn has read to decide about a run: its policy, its seccomp profile.
#pragma once

#include <cstdint>
#include <string>

namespace bawn {

struct InputFile {
  std::string origin;  // who named it: "--policy", "BAWN_POLICY", "system_calls.profile"
  std::string path;    // absolute, links and all
  // The file that was read, whatever has the name by now.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

}  // namespace bawn
