// Converts the arguments of a request to the form that the validator reads: every path in portable
// form (backend/windows/syntax/path.h).
//
// The validator knows what a word with '/' can mean: a path, an option, a list, a URL. This
// converts the other spellings that Windows programs accept: `C:\x`, `..\x`, `--out=C:\x`, `\x`,
// `/x`. The command itself still gets its arguments as typed. If a word can be read in two ways, it
// is taken as a path, except for a switch (`/s`) that names nothing at the root of the drive.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "request/request.h"

namespace bawn::windows {

// Prefix for a path whose drive and root cannot be determined. The lookup then reports an error and
// not a missing file (backend/windows/path_lookup.h).
inline constexpr std::string_view kOnNoDrive = "/unc";

struct WordContext {
  std::string directory;                              // portable; start of relative paths
  std::function<bool(std::string_view path)> exists;  // of a portable path
  std::function<bool(char letter)> is_drive;          // lower case
};

// A path that bawn itself uses: a command, a working directory. The portable form is accepted too.
[[nodiscard]] std::string portable_spelling(std::string_view path, const WordContext& context);

// Converts one argument.
[[nodiscard]] std::string portable_word(std::string_view word, const WordContext& context);

// Converts command, arguments and working directory; variable names become upper case.
[[nodiscard]] Request portable_request(const Request& request, const WordContext& context);

}  // namespace bawn::windows
