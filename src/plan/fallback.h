// What a run does without if the host turns out to lack it while the run is set up.
//
// The facts are not edited: a second attempt is planned from facts of its own.
#pragma once

#include <optional>
#include <string>

#include "host/facts.h"

namespace bawn {

struct Policy;

// What an attempt lacked, although the facts offered it. Nothing ran in that attempt.
struct Lacking {
  enum class What {
    namespaces,
    cgroup,
    stdio_files,  // init could not open a file of the caller's by its path
    host_id,      // a mount of the run cannot be idmapped
  };
  What what = What::namespaces;
  std::string why{};            // for people
  FileOwner workspace_owner{};  // for host_id
};

struct Fallback {
  HostFacts host;
  std::string note;  // one line for the log
};

// True if the policy accepts tier b where the host has no tier c.
[[nodiscard]] bool accepts_tier_b(const Policy& policy);

// None if the policy does not accept a run without it.
[[nodiscard]] std::optional<Fallback> plan_fallback(const Lacking& lacking, const Policy& policy,
                                                    const HostFacts& host);

}  // namespace bawn
