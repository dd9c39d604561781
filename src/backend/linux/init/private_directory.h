// The private directory of a run outside namespaces, with `work` (the private workspace) and `tmp`.
//
// Init makes and removes it, because init is still there when bawn is killed. It must be removed
// only when no process of the run is left: the removal is not safe against a process that changes
// the directory at the same time.
#pragma once

#include "backend/linux/wire/messages.h"

namespace bawn::init {

// Descriptors stay open until init exits. `parent` and `name` are borrowed.
struct PrivateDirectory {
  int parent = -1;
  int self = -1;
  int work = -1;
  const char* name = nullptr;  // in `parent`; null: there is no private directory
};

// Makes the directory and its two subdirectories with mode 0700. It must not exist before. Returns
// 0 or a negative errno; a failure leaves nothing behind.
[[nodiscard]] long make_private_directory(int parent, const char* name, PrivateDirectory& made);

// Removes the directory with everything below it: any depth, any modes, symbolic links without
// following them. Does nothing if there is no private directory. What cannot be removed (a file
// that another user owns, say) is left behind without a report.
void remove_private_directory(const PrivateDirectory& directory);

}  // namespace bawn::init
