// Starts one process the safe way: suspended, with a list of the handles it gets, put into its job,
// looked at, and only then let run. Whatever fails on the way, nothing of the command has run.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "validate/lookup.h"
#include "windows/job.h"
#include "windows/token.h"

namespace bawn::windows {

struct SpawnOrder {
  Located program;  // held against changes until the process exists
  std::string command_line;
  std::string directory;                 // native
  std::vector<std::string> environment;  // native, in the order of Windows
  HANDLE stdin_read = nullptr;           // borrowed, inheritable; all that the process gets
  HANDLE stdout_write = nullptr;
  HANDLE stderr_write = nullptr;
  HANDLE token = nullptr;  // borrowed; null: the caller's own
  bool shares_console = false;
};

struct Spawned {
  Handle process;
  DWORD pid = 0;
  TokenFacts token;  // as the process has it
};

// ErrorKind::invalid if the system says that the file is no program: the caller's mistake.
[[nodiscard]] Result<Spawned> spawn(const SpawnOrder& order, const Job& job);

}  // namespace bawn::windows
