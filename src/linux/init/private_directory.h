// The run's own directory: made by init and removed by init, because only init is sure to be there
// when bawn itself is killed. It holds `work` (the private workspace) and `tmp`.
#pragma once

#include "linux/init/messages.h"

namespace bawn::init {

struct PrivateDirectory {
  int parent = -1;
  int self = -1;
  int work = -1;
  const char* name = nullptr;
};

// 0 or a negative errno. Nothing is left behind on failure.
[[nodiscard]] long make_private_directory(int parent, const char* name, PrivateDirectory& made);

// Removes it with everything below, whatever the command left there: any depth, any modes, links as
// links.
void remove_private_directory(const PrivateDirectory& directory);

}  // namespace bawn::init
