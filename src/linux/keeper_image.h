// The keeper program itself, carried inside the library so that it works in any host program without a file on disk.
#pragma once

#include <span>

namespace bawn {

[[nodiscard]] std::span<const unsigned char> keeper_image();

}  // namespace bawn
