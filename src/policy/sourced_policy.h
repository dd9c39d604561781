// A policy that knows where each of its values came from.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "policy/policy.h"

namespace bawn {

// The source of each value: "limits.memory_bytes" -> "policy.json:4:21", "--memory" or "preset
// agent". A path that is not in the map has the value of its preset. A flag that adds a variable
// gets a separate path ("environment.pass[3]", "environment.set.CC"); the other variables keep
// their origin.
using Origins = std::map<std::string, std::string, std::less<>>;

// A policy with the origin of its values. `bawn policy show` prints this.
struct SourcedPolicy {
  Policy policy;
  std::string preset;  // the preset below everything else
  Origins origins;
};

}  // namespace bawn
