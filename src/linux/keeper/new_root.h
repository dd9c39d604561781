// The file system of a run in namespaces: built part by part beside the old root, then taken for "/".
//
// Everything is placed through open files: a source is opened once without following links and must be the file that
// bawn judged; a destination is walked inside the new root only. Nothing is created on the host, not even a place to
// mount something on. Every mount's flags are set before it appears and read back afterwards.
#pragma once

#include "linux/keeper/program.h"

namespace bawn::keeper {

struct RootFailure {
  Step step;
  long error;  // 0: all went well
  int index;   // of the part
};

struct NewRoot {
  const Program* program;
  int landlock;  // a ruleset that gets a rule for every writable part; -1 if there is none
  Readback* readback;
  std::uint64_t* stamps;  // null if nobody asked for them
};

[[nodiscard]] RootFailure make_new_root(const NewRoot& root);

// Opens an absolute path of the root this process is in now. It must be the given file, unless the identity is zero.
[[nodiscard]] long open_known(const char* path, const FileIdentity& identity, int flags);

}  // namespace bawn::keeper
