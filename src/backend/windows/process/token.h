// The command's access token: the caller's, without privileges and without administrator rights. It
// has low integrity if the run writes only to its private directory.
//
// Every property is read back from the started process and compared
// (backend/windows/process/spawn.h).
#pragma once

#include "backend/windows/handle.h"
#include "base/result.h"

namespace bawn::windows {

enum class Integrity {
  callers,  // unchanged
  low,      // no write access to the user's files, no access to other processes
};

// Properties read from a token.
struct TokenFacts {
  // Number of privileges, without SeChangeNotify, which every token has and which only skips
  // traverse checks.
  DWORD privileges = 0;
  bool administrator = false;  // the Administrators group is enabled
  DWORD integrity = 0;         // SECURITY_MANDATORY_LOW_RID, ...
  bool operator==(const TokenFacts&) const = default;
};

// A primary token for CreateProcessAsUserW, derived from this process's token.
[[nodiscard]] Result<Handle> restricted_token(Integrity integrity);
[[nodiscard]] Result<TokenFacts> read_token(HANDLE token);

// The token of a process, which may still be suspended.
[[nodiscard]] Result<TokenFacts> token_of(HANDLE process);

}  // namespace bawn::windows
