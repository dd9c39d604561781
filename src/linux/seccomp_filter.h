// The filters that were compiled from seccomp/*.json at build time.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace bawn {

// Tier b, for every confined run: refuses the calls by which one process of a user may reach another that Landlock does
// not see.
[[nodiscard]] std::span<const sock_filter> fence_filter();

// Tier b: the same, and every way to make a socket that leads out of the run.
[[nodiscard]] std::span<const sock_filter> no_network_filter();

// Tier c: what an ordinary developer's tools need, and nothing else.
[[nodiscard]] std::span<const sock_filter> default_filter();

// Tier c: the same without debuggers, System V IPC, and sockets other than local ones, TCP and UDP.
[[nodiscard]] std::span<const sock_filter> strict_filter();

struct NamedFilter {
  std::string_view name;
  std::span<const sock_filter> code;
};

// The one that a confined run of this plan gets.
[[nodiscard]] NamedFilter filter_for(const Plan& plan);

// 16 hexadecimal digits of its SHA-256, by which a receipt names a filter.
[[nodiscard]] std::string filter_hash(std::span<const sock_filter> filter);

}  // namespace bawn
