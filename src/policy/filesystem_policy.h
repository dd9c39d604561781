// The part of a policy about files beside the workspace.
#pragma once

#include <vector>

#include "policy/grant.h"

namespace bawn {

enum class Tmp { none, private_dir };

struct FilesystemPolicy {
  std::vector<Grant> read;
  std::vector<Grant> write;  // reading included
  Tmp tmp = Tmp::none;
  bool operator==(const FilesystemPolicy&) const = default;
};

}  // namespace bawn
