// The name that the system itself uses for a file, where a file has several spellings: another
// case, another Unicode form, the path of another volume. On Linux names are bytes, and the result
// is the input.
#pragma once

#include <string>

#include "base/result.h"

namespace bawn::posix {

// The path of an open directory that was reached as `walked`.
[[nodiscard]] Result<std::string> spelled_path(int directory, const std::string& walked);

// The name of an existing entry of an open directory. Not for symbolic links.
[[nodiscard]] Result<std::string> spelled_name(int directory, const std::string& name);

}  // namespace bawn::posix
