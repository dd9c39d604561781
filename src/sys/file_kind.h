// What a file is, in words for a message.
#pragma once

#include <sys/stat.h>

#include <string_view>

namespace bawn::sys {

[[nodiscard]] constexpr std::string_view file_kind(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "a regular file";
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a FIFO";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
      return "a character device";
    case S_IFBLK:
      return "a block device";
    default:
      return "no file that can be read";
  }
}

}  // namespace bawn::sys
