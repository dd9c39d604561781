// The seccomp filters of bawn: those compiled from seccomp/*.json at build time, and the profiles
// that users name.
//
// The spans live as long as the program. A filter is data; init installs it in the command's
// process.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/boundary_plan.h"

namespace bawn::linux_ {

// The filter of one run.
struct RunFilter {
  std::string name;  // of a built-in filter, or the path of the profile
  std::string hash;  // see filter_hash.h
  std::span<const sock_filter> built_in{};
  std::vector<sock_filter> own{};  // compiled from a profile of the user's

  [[nodiscard]] std::span<const sock_filter> code() const { return own.empty() ? built_in : own; }
};

// "tier-b", "no-network", "default", "default-root" or "strict", or one of these with "-no-memfd"
// behind it, which refuses memfd_create as well; an error for any other name.
[[nodiscard]] Result<RunFilter> built_in_filter(std::string_view name);

// The filter that the plan names. A profile of the user's is read and compiled here; the error then
// has one line for each mistake in it.
[[nodiscard]] Result<RunFilter> load_filter(const FilterPlan& plan);

}  // namespace bawn::linux_
