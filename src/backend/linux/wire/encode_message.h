// Encodes a plan as the flat messages that init receives: a SetupMessage or an ExecMessage,
// followed by its arrays and strings.
//
// Pure, but for encode_exec() reading this process's hard rlimits. A message holds offsets and no
// pointers. It names the files that must be sent with it (`slots`) but does not contain them;
// launch.h sends both.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string>

#include "backend/linux/landlock/ruleset.h"
#include "backend/linux/wire/messages.h"
#include "plan/plan.h"

namespace bawn::linux_ {

// A file of the command's stdio that init opens itself; see init::StdioFile.
struct StdioOpening {
  init::StdioOrigin origin = init::StdioOrigin::sent;
  std::uint32_t access = 0;
  std::string directory{};
  std::string name{};
  std::int64_t position = init::kNoPosition;
  init::FileIdentity identity{};
};

// Facts for an ExecMessage that are not in the plan. The spans are borrowed for the call.
struct ExecFacts {
  std::uint32_t sequence = 1;          // of this exec message; init expects 1, 2, 3, ...
  std::uint32_t slots = 0;             // bit i: there is a file for init::Slot i
  std::uint32_t trees = 0;             // mount trees that are sent after these files
  bool may_drop_bounding_set = false;  // CAP_SETPCAP is effective
  std::span<const sock_filter> filter{};
  LandlockRights rights;
  std::span<const StdioOpening> stdio{};  // at most init::kStdioCount
  init::TerminalOrder terminal{};
  bool timing = false;                 // report when each step ended
  NamespaceInodes outer_namespaces{};  // the caller's
};

// A lower hard rlimit of the caller replaces the plan's value: it is stricter, and cannot be
// raised.
[[nodiscard]] std::string encode_exec(const Plan& plan, const ExecFacts& facts);

struct SetupFacts {
  int landlock_abi = 0;  // 0: the kernel has no Landlock
  bool timing = false;
};

// Its slots are always slot_parent, and slot_landlock if the kernel has Landlock.
[[nodiscard]] std::string encode_setup(const SetupPlan& setup_plan, const HostFacts& host,
                                       const SetupFacts& facts);

}  // namespace bawn::linux_
