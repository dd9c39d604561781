// The run's own directory: made by the keeper and removed by the keeper, because only the keeper is sure to be there
// when bawn itself is killed. It holds `work` (the private workspace) and `tmp`.
#pragma once

#include "linux/keeper/program.h"

namespace bawn::keeper {

struct PrivateDirectory {
  int parent = -1;
  int self = -1;
  int work = -1;
  const char* name = nullptr;
};

// 0 or a negative errno. Nothing is left behind on failure.
[[nodiscard]] long make_private_directory(int parent, const char* name, PrivateDirectory& made);

// Removes it with everything below, whatever the command left there: any depth, any modes, links as links.
void remove_private_directory(const PrivateDirectory& directory);

}  // namespace bawn::keeper
