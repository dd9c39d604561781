// The init executable as bytes inside the library, so that it works in any host program and needs
// no file on disk.
//
// The bytes are read-only and live as long as the process. To execute them, use init_image_file.h.
#pragma once

#include <span>

namespace bawn::linux_ {

[[nodiscard]] std::span<const unsigned char> init_image();

}  // namespace bawn::linux_
