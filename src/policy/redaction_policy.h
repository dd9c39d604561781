// The part of a policy about secrets in the output.
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct RedactionPolicy {
  bool enabled = true;
  std::vector<std::string> secrets;  // literal texts to remove beside the known shapes
  bool operator==(const RedactionPolicy&) const = default;
};

}  // namespace bawn
