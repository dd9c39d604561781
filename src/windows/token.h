// Who the command is: the caller, without privileges and without the power of an administrator; at
// low integrity where the run has nothing to write but what is made for it.
#pragma once

#include "base/result.h"
#include "windows/handle.h"

namespace bawn::windows {

enum class Integrity {
  callers,  // as the caller has it
  low,      // nothing of the user's can be written, other processes cannot be reached
};

// What a token says of itself.
struct TokenFacts {
  DWORD privileges = 0;  // but SeChangeNotify, which everybody has and which only speeds up paths
  bool administrator = false;  // the administrators' group is enabled
  DWORD integrity = 0;         // SECURITY_MANDATORY_LOW_RID, ...
  bool operator==(const TokenFacts&) const = default;
};

[[nodiscard]] Result<Handle> restricted_token(Integrity integrity);
[[nodiscard]] Result<TokenFacts> read_token(HANDLE token);

// Of a process that exists, also if it has not run yet.
[[nodiscard]] Result<TokenFacts> token_of(HANDLE process);

}  // namespace bawn::windows
