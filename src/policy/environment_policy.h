// The part of a policy about the variables that the command gets.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace bawn {

struct EnvironmentPolicy {
  std::vector<std::string> pass;           // names of variables copied from the caller
  std::map<std::string, std::string> set;  // wins over pass
  bool operator==(const EnvironmentPolicy&) const = default;
};

}  // namespace bawn
