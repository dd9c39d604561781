// Converts between Windows paths and portable paths: `C:\Users\you` is `/c/Users/you`.
//
// The validator, policies and plans use absolute paths with '/'. This folder converts at the
// border, in both directions, by syntax alone: nothing here reads a disk. A path that Windows would
// not take for a file below a drive is refused with the reason: a network share, a device, an
// alternate stream, a name from which Windows strips final dots or blanks, a path relative to the
// current directory of another drive.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// Replaces backslashes by '/'; Windows accepts both.
[[nodiscard]] std::string with_slashes(std::string_view path);

// The reason why Windows would not open a file of this name; "" if it would.
[[nodiscard]] std::string name_error(std::string_view name);

// False if no file can have this name, so nothing can be opened or created by it.
[[nodiscard]] bool can_exist(std::string_view name);

// True for the null device (NUL).
[[nodiscard]] bool is_null_device(std::string_view name);

// Converts any spelling that programs accept, relative to `directory` (portable; "" if relative
// paths cannot be resolved). `.` and `..` are removed by syntax, as Windows does.
[[nodiscard]] Result<std::string> portable_path(std::string_view native,
                                                std::string_view directory);

// "/c/Users/you" -> "C:\Users\you". An error if the path is not on a drive or contains an invalid
// name.
[[nodiscard]] Result<std::string> native_path(std::string_view portable);

// Converts a final path from the system, `\\?\C:\x` or `C:\x`. An error if it is not on a drive.
[[nodiscard]] Result<std::string> portable_final_path(std::string_view final_path);

}  // namespace bawn::windows
