// Text on its way to and from the system, which speaks UTF-16, and the system's errors in words.
#pragma once

#include <windows.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// An error if it is not UTF-8: such text would come out as other text.
[[nodiscard]] Result<std::wstring> wide(std::string_view utf8);

// Unpaired surrogates, which file names may hold, become U+FFFD.
[[nodiscard]] std::string narrow(std::wstring_view utf16);

// "create the job: Access is denied (error 5)". Pass GetLastError() itself, in the statement after
// the call.
[[nodiscard]] Error system_failure(DWORD code, std::string_view what);

// The words alone.
[[nodiscard]] std::string system_failure_text(DWORD code);

}  // namespace bawn::windows
