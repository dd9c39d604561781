// The seccomp filters of bawn: those compiled from seccomp/*.json at build time, and the choice of
// one for a run.
//
// The spans live as long as the program. A filter is data; init installs it in the command's
// process.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"

namespace bawn::linux_ {

// Tier b: refuses calls by which one process of a user can reach another without Landlock seeing
// it, calls that make namespaces and mounts, and modes with a set-user-ID or set-group-ID bit.
[[nodiscard]] std::span<const sock_filter> tier_b_filter();

// Tier b without network: also refuses every socket that leads out of the run.
[[nodiscard]] std::span<const sock_filter> no_network_filter();

// Tier c: allows what an ordinary developer's tools need, and nothing else.
[[nodiscard]] std::span<const sock_filter> default_filter();

// Tier c for runs by root: the same, and refuses modes with the set-group-ID bit.
[[nodiscard]] std::span<const sock_filter> default_root_filter();

// Tier c, strict: the default without debuggers, System V IPC, and sockets other than Unix, TCP and
// UDP.
[[nodiscard]] std::span<const sock_filter> strict_filter();

// The filter of one run.
struct RunFilter {
  std::string name;  // of a built-in filter, or the path of the profile
  std::string hash;  // see filter_hash.h
  std::span<const sock_filter> built_in{};
  std::vector<sock_filter> own{};  // compiled from a profile of the user's

  [[nodiscard]] std::span<const sock_filter> code() const { return own.empty() ? built_in : own; }
};

// The filter for this plan. Only an unconfined run gets an empty one. For a profile of the user's
// the file is read and compiled here; the error then has one line for each mistake in it.
[[nodiscard]] Result<RunFilter> choose_filter(const Plan& plan);

}  // namespace bawn::linux_
