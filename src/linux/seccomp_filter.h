// The filters that were compiled from seccomp/*.json at build time.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"

namespace bawn {

// Tier b, for every confined run: refuses the calls by which one process of a user may reach
// another that Landlock does not see, those that make namespaces and mounts, and modes with a
// set-id bit.
[[nodiscard]] std::span<const sock_filter> tier_b_filter();

// Tier b: the same, and every way to make a socket that leads out of the run.
[[nodiscard]] std::span<const sock_filter> no_network_filter();

// Tier c: what an ordinary developer's tools need, and nothing else.
[[nodiscard]] std::span<const sock_filter> default_filter();

// Tier c, for runs of root: the same without set-group-id modes.
[[nodiscard]] std::span<const sock_filter> default_root_filter();

// Tier c: that without debuggers, System V IPC, and sockets other than local ones, TCP and UDP.
[[nodiscard]] std::span<const sock_filter> strict_filter();

// The filter of one run.
struct RunFilter {
  std::string name;  // of a built-in one, or the path it was read from
  std::string hash;  // as filter_hash.h has it
  std::span<const sock_filter> built_in{};
  std::vector<sock_filter> own{};

  [[nodiscard]] std::span<const sock_filter> code() const { return own.empty() ? built_in : own; }
};

// The one that this plan asks for; no code at all for an unconfined run, and only for that.
[[nodiscard]] Result<RunFilter> choose_filter(const Plan& plan);

}  // namespace bawn
