// The result of one check of `bawn doctor`: one feature that this host has or lacks.
//
// A plain value. doctor/diagnosis.h turns a list of them into text and JSON; doctor/doctor.h
// produces them.
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct CheckResult {
  std::string name;  // "user-namespace"
  bool for_tier_b = false;
  bool for_tier_c = false;  // if both are false, bawn runs without it, see `otherwise`
  std::string otherwise;    // what bawn does if the feature is missing
  bool works = false;
  // What was done and observed, or the step that failed and what refused it.
  std::string evidence;
  std::string
      // Commands and file lines to paste, one per line; "" if it works, or if nothing on this host
      // can help.
      fix;
};

using CheckResults = std::vector<CheckResult>;

}  // namespace bawn
