// Access to one file or directory of the host, for boundaries without a new root.
#pragma once

#include <string>

#include "validate/lookup.h"

namespace bawn {

enum class FileAccess {
  // Where programs are listed, the first two do not include execution.
  read,     // read and execute
  write,    // read, write and execute, with everything below it
  device,   // read and write only
  execute,  // execute only
};

struct FileGrant {
  Located target;
  FileAccess access = FileAccess::read;
  std::string origin;  // "system", "workspace", "filesystem.read"
};

}  // namespace bawn
