// The filters that were compiled from seccomp/*.json at build time.
#pragma once

#include <linux/filter.h>

#include <span>

namespace bawn {

// For every confined run: refuses the calls by which one process of a user may reach another that Landlock does not see.
[[nodiscard]] std::span<const sock_filter> fence_filter();

// The same, and every way to make a socket that leads out of the run.
[[nodiscard]] std::span<const sock_filter> no_network_filter();

}  // namespace bawn
