// Converts text to and from the system's UTF-16, and system errors to messages.
#pragma once

#include <windows.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// An error if the text is not valid UTF-8: converting it would silently change it.
[[nodiscard]] Result<std::wstring> wide(std::string_view utf8);

// Unpaired surrogates, which file names may contain, become U+FFFD.
[[nodiscard]] std::string narrow(std::wstring_view utf16);

// "create the job: Access is denied (error 5)". Pass GetLastError() directly, in the statement
// after the failed call.
[[nodiscard]] Error system_failure(DWORD code, std::string_view what);

// Only the system's message.
[[nodiscard]] std::string system_failure_text(DWORD code);

}  // namespace bawn::windows
