// One thing that this host can do or cannot, as `bawn doctor` tells it.
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct CheckResult {
  std::string name;  // "user-namespace"
  bool for_tier_b = false;
  bool for_tier_c = false;  // neither: bawn runs without it, see `otherwise`
  std::string otherwise;    // what bawn does without it
  bool works = false;
  std::string evidence;  // what was done and seen, or the step that failed and who refused it
  std::string
      fix;  // commands and files, a line each; "" if it works, or if nothing on this host can help
};

using CheckResults = std::vector<CheckResult>;

}  // namespace bawn
