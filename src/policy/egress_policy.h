// The part of a policy about the network: which hosts the command may reach.
#pragma once

#include <string>
#include <vector>

#include "policy/egress_host.h"

namespace bawn {

enum class EgressMode { allow_all, preflight, strict, block_all };

struct EgressPolicy {
  EgressMode mode = EgressMode::strict;
  std::vector<EgressHost> hosts;
  // "example.org" covers the name itself and everything below it.
  std::vector<std::string> dns_suffixes;
  bool operator==(const EgressPolicy&) const = default;
};

}  // namespace bawn
