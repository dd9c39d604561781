// The part of a policy about words on a command line that are refused wherever they stand.
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct ArgumentsPolicy {
  std::vector<std::string> refuse_paths;  // absolute prefixes that no argument may name
  // Texts that are refused wherever a string would reach a shell.
  std::vector<std::string> refuse_patterns;
  bool operator==(const ArgumentsPolicy&) const = default;
};

}  // namespace bawn
