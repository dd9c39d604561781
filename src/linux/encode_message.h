// Lays a plan out as the flat messages that init maps: a SetupMessage or an ExecMessage, then its
// arrays and strings.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>

#include "linux/init/messages.h"
#include "linux/landlock_ruleset.h"
#include "plan/plan.h"

namespace bawn {

// A file of the command's stdio that init opens itself; see init::StdioFile.
struct StdioOpening {
  init::StdioOrigin origin = init::StdioOrigin::sent;
  std::uint32_t access = 0;
  std::string directory{};
  std::string name{};
  std::int64_t position = init::kNoPosition;
  init::FileIdentity identity{};
};

struct ExecFacts {
  std::uint32_t slots = 0;             // bit i: there is a file for init::Slot i
  bool may_drop_bounding_set = false;  // CAP_SETPCAP is effective
  std::span<const sock_filter> filter{};
  LandlockRights rights;
  std::span<const StdioOpening> stdio{};  // at most init::kStdioCount
  init::TerminalOrder terminal{};
  bool timing = false;                 // somebody wants to know when each step ended
  NamespaceInodes outer_namespaces{};  // the caller's
};

[[nodiscard]] std::string encode_exec(const Plan& plan, const ExecFacts& facts);

struct SetupFacts {
  int landlock_abi = 0;
  bool timing = false;
};

[[nodiscard]] std::string encode_setup(const NamespacePlan& namespace_plan, const HostFacts& host,
                                       const SetupFacts& facts);

}  // namespace bawn
