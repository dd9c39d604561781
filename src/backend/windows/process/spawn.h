// Starts one process: suspended, with an explicit list of inherited handles, put into its job,
// verified, and only then resumed. After any error nothing of the command has run.
#pragma once

#include <string>
#include <vector>

#include "backend/windows/process/job.h"
#include "backend/windows/process/token.h"
#include "base/result.h"
#include "validate/lookup.h"

namespace bawn::windows {

// Borrowed and inheritable. The process gets these three handles and no others.
struct Stdio {
  HANDLE in = nullptr;
  HANDLE out = nullptr;
  HANDLE err = nullptr;
  bool shares_console = false;
};

struct SpawnOrder {
  Located program;  // locked against changes until the process exists
  std::string command_line;
  std::string directory;                 // native
  std::vector<std::string> environment;  // native, sorted as Windows requires
  Stdio stdio;
  HANDLE token = nullptr;  // borrowed; null: the caller's token
};

struct Spawned {
  Handle process;
  DWORD pid = 0;
  TokenFacts token;  // read back from the process
};

// The null device, inheritable.
[[nodiscard]] Result<Handle> open_null(DWORD access);

// ErrorKind::invalid if the system says that the file is not a program: an error of the request,
// not of bawn.
[[nodiscard]] Result<Spawned> spawn(const SpawnOrder& order, const Job& job);

}  // namespace bawn::windows
