// What findings mean for the person who reads them: which tiers work, and which promises hold.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/check_result.h"

namespace bawn {

struct TierDiagnosis {
  bool works = false;
  std::vector<std::string> missing;  // names of the checks that stand in the way
};

struct Promise {
  std::string text;
  bool holds = false;
  std::vector<std::string> missing;
};

struct Diagnosis {
  TierDiagnosis tier_b;
  TierDiagnosis tier_c;
  std::vector<Promise> promises;
};

// Of nothing, no tier works: what was not found out is not there.
[[nodiscard]] Diagnosis diagnose(const CheckResults& results);

// Lines for a terminal.
[[nodiscard]] std::string diagnosis_text(const CheckResults& results);
// One object, schema "bawn.doctor.v1", and a newline.
[[nodiscard]] std::string diagnosis_json(const CheckResults& results);

}  // namespace bawn
