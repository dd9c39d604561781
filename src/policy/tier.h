// The strength of the boundary around a command, and which of them a policy asks for.
#pragma once

namespace bawn {

enum class Tier {
  unconfined,  // no sandbox; only preset `disabled`, or a policy that says so
  b,           // a process without namespaces, confined by what the kernel offers to it
  c,           // namespaces (Linux) or a sandbox profile (macOS)
};

enum class TierChoice { automatic, unconfined, b, c };

struct TierPolicy {
  TierChoice use = TierChoice::automatic;
  Tier floor = Tier::b;
  bool operator==(const TierPolicy&) const = default;
};

}  // namespace bawn
