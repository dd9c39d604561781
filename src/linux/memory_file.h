// Files in memory: the keeper's program text, and the keeper itself where it can be executed.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn {

[[nodiscard]] Result<Fd> make_memory_file(const char* name);
[[nodiscard]] Result<void> write_memory_file(int fd, std::string_view bytes);

// keeper_image() in a file that execveat takes.
[[nodiscard]] Result<Fd> make_keeper_image();

}  // namespace bawn
