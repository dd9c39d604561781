// Paths of Windows as the validator knows paths: `C:\Users\you` is `/c/Users/you`.
//
// The validator, policies and plans speak of absolute paths with '/' between names. This folder
// translates on the border, both ways, by spelling alone: nothing here looks at a disk. What
// Windows would take for something else than a file below a drive is refused with the reason: a
// network share, a device, an alternate stream, a name from whose end Windows cuts dots or blanks,
// a path from the current directory of some drive.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// Windows takes both kinds of slash; here there is one.
[[nodiscard]] std::string with_slashes(std::string_view path);

// Why Windows would not open a file of this name in its directory, but something else or nothing;
// "" if it would.
[[nodiscard]] std::string name_error(std::string_view name);

// False if no file can have such a name, so that nothing is opened or made by it.
[[nodiscard]] bool can_exist(std::string_view name);

// The device that discards everything.
[[nodiscard]] bool is_null_device(std::string_view name);

// Any spelling that programs take, seen from `directory` (portable; "" if relative paths cannot be
// told). `.` and `..` are taken out by spelling, as Windows does it.
[[nodiscard]] Result<std::string> portable_path(std::string_view native,
                                                std::string_view directory);

// "/c/Users/you" -> "C:\Users\you". An error if the path is on no drive or holds a name that has an
// error.
[[nodiscard]] Result<std::string> native_path(std::string_view portable);

// A final path as the system tells it, `\\?\C:\x` or `C:\x`. An error if it is on no drive.
[[nodiscard]] Result<std::string> portable_final_path(std::string_view final_path);

}  // namespace bawn::windows
