// The init executable as bytes inside the library, so that it works in any host program and needs
// no file on disk.
//
// init_image_file.cc makes a file of them.
#pragma once

#include <span>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// Read-only; they live as long as the process.
[[nodiscard]] std::span<const unsigned char> init_image();

// A new memfd of them that can be passed to execveat(), close-on-exec. The error says so if the
// sysctl vm.memfd_noexec forbids an executable memfd.
[[nodiscard]] Result<Fd> make_init_image();

}  // namespace bawn::linux_
