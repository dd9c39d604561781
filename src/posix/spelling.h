// What the system itself calls a file, where one file has more than one spelling: another case,
// another Unicode form, the path of another volume. Where names are bytes, as on Linux, that is
// what was asked for.
#pragma once

#include <string>

#include "base/result.h"

namespace bawn::posix {

// Of an open directory that was reached as `walked`.
[[nodiscard]] Result<std::string> spelled_path(int directory, const std::string& walked);

// Of something that exists in an open directory under this name. Not for links.
[[nodiscard]] Result<std::string> spelled_name(int directory, const std::string& name);

}  // namespace bawn::posix
