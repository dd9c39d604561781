#include "doctor/doctor.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "doctor/checks.h"

namespace bawn {
namespace {

bool works(const CheckResults& results, std::string_view name) {
  const auto found = std::ranges::find(results, name, &CheckResult::name);
  return found != results.end() && found->works;
}

CheckResult examine(const Check& check, const CheckResults& before,
                    const HostRestrictions& restrictions) {
  CheckResult result{.name = std::string(check.name),
                     .for_tier_b = check.needed == For::tier_b || check.needed == For::both,
                     .for_tier_c = check.needed == For::tier_c || check.needed == For::both,
                     .otherwise = std::string(check.otherwise)};
  if (!check.above.empty() && !works(before, check.above)) {
    result.evidence = concat("not tried: it needs ", check.above);
    return result;
  }
  CheckAnswer answer = check.check(restrictions);
  result.works = answer.works;
  result.evidence = std::move(answer.evidence);
  result.fix = std::move(answer.fix);
  return result;
}

}  // namespace

CheckAnswer refused(const Trial& trial, const Cause& cause) {
  return {false, concat(describe(trial), cause.reason.empty() ? "" : ": ", cause.reason),
          cause.fix};
}

CheckResults examine_host() {
  const HostRestrictions restrictions = probe_restrictions();
  CheckResults results;
  for (const auto checks : {namespace_checks(), kernel_checks(), privilege_checks()}) {
    for (const Check& check : checks) results.push_back(examine(check, results, restrictions));
  }
  return results;
}

}  // namespace bawn
