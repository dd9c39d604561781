// Names the type of a file for use in a message: "a directory", "a FIFO".
//
// `mode` is st_mode of stat(2). Only for messages; code that decides compares S_IFMT itself.
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
