// The names in a directory, up to a bound.
//
// For directories that a command can write to: nothing is followed, and the list can be as long as
// the command likes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace bawn::sys {

struct DirectoryEntry {
  std::string name;
  unsigned char type = 0;  // DT_DIR, DT_LNK, ...; DT_UNKNOWN where the file system does not tell
};

struct DirectoryList {
  std::vector<DirectoryEntry> entries;  // without "." and ".."
  bool complete = true;                 // false if there are more than were asked for
};

// `directory` is borrowed and open for reading; its offset is moved.
[[nodiscard]] Result<DirectoryList> list_directory(int directory, std::size_t most);

// The names alone. `directory` can be an O_PATH descriptor.
[[nodiscard]] Result<std::vector<std::string>> names_in(int directory, std::size_t most);

}  // namespace bawn::sys
