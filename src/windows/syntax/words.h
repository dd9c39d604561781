// The words of a request as the validator is to see them: every path among them in the portable
// form (syntax/path.h).
//
// The validator knows what a word with '/' may mean as a path, an option, a list or a URL. This
// translates what Windows programs read in other spellings: `C:\x`, `..\x`, `--out=C:\x`, `\x`,
// `/x`. The command itself still gets its words as they were typed. Where a spelling could mean two
// things the one that is a path wins, but for a switch (`/s`) that names nothing at the root of the
// drive.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "request/request.h"

namespace bawn::windows {

// Where a path is sent of which nobody can tell the drive and the root, so that a look-up tells it
// from a missing file (windows/path_lookup.h).
inline constexpr std::string_view kOnNoDrive = "/unc";

struct WordContext {
  std::string directory;                              // portable: where relative paths start
  std::function<bool(std::string_view path)> exists;  // of a portable path
  std::function<bool(char letter)> is_drive;          // lower case
};

// A path that bawn itself takes, and no program: a command, a working directory. The portable form
// is understood as well.
[[nodiscard]] std::string portable_spelling(std::string_view path, const WordContext& context);

// One argument.
[[nodiscard]] std::string portable_word(std::string_view word, const WordContext& context);

// Command, arguments and working directory; the names of variables in upper case.
[[nodiscard]] Request portable_request(const Request& request, const WordContext& context);

}  // namespace bawn::windows
