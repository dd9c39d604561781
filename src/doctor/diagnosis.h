// Interprets check results for people: which tiers work, and which promises hold on this host.
//
// Pure: check results in, a value or text out. It does not touch the host and must not be used to
// decide how a run is started.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "doctor/check_result.h"

namespace bawn {

struct TierDiagnosis {
  bool works = false;
  std::vector<std::string> missing;  // names of the failed checks
};

// A statement about what a sandboxed command cannot do, and whether it is true on this host.
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

// A check that is not in `results` counts as failed, so with no results no tier works.
[[nodiscard]] Diagnosis diagnose(const CheckResults& results);

// Human-readable lines for a terminal.
[[nodiscard]] std::string diagnosis_text(const CheckResults& results);
// One JSON object, schema "bawn.doctor.v1", and a newline.
[[nodiscard]] std::string diagnosis_json(const CheckResults& results);

}  // namespace bawn
