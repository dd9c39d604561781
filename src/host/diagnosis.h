// What findings mean for the person who reads them: which tiers work, and which promises hold. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/finding.h"

namespace bawn {

struct TierDiagnosis {
  bool works = false;
  std::vector<std::string> missing;  // names of the findings that stand in the way
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
[[nodiscard]] Diagnosis diagnose(const Findings& findings);

// Lines for a terminal.
[[nodiscard]] std::string diagnosis_text(const Findings& findings);
// One object, schema "bawn.doctor.v1", and a newline.
[[nodiscard]] std::string diagnosis_json(const Findings& findings);

}  // namespace bawn
