#include "run/unix/limits.h"

#include "host/rlimit.h"

namespace bawn {

Evidence rlimit_evidence(const Plan& plan, std::span<const std::uint64_t> told,
                         ProcessLimit limit) {
  Limit value;
  for (std::size_t i = 0; i < plan.process_limits.size() && i < told.size() && !value; ++i) {
    if (plan.process_limits[i].limit == limit) value = told[i];
  }
  return {{"rlimit", rlimit_name(limit)}, {"value", value}};
}

}  // namespace bawn
