// The file system of a run in tier c, as a value: what is where, in the order in which it is put
// there.
//
// The system is readable, the workspace lies at its own path and what the policy grants at its own
// or where the policy says, and everything else that the command sees was made for this run and
// goes with it.
//
// A grant with a destination covers what the host has there. Nothing is made on the host for it:
// inside of another grant or of the workspace it needs something of its kind to lie on, and what it
// covers is not changed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/input_protection.h"
#include "plan/mount_op.h"
#include "plan/namespace_plan.h"
#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/validate.h"

namespace bawn {

struct RootPlan {
  std::vector<MountOp> mounts;
  std::size_t base_mount_count = 0;  // so many of them are those of the NamespacePlan
  std::string home;                  // where HOME is inside
  std::string cwd;
  // Protected names that do not exist. Nothing can be mounted on them, so they are looked for after
  // the run.
  std::vector<std::string> still_missing;
  Violations violations;
};

// What the root must hold besides the policy's wishes.
struct RootNeeds {
  const Verdict* verdict = nullptr;
  bool new_netns = false;
  std::string caller_home;  // "" if unknown
  std::span<const std::string>
      search;  // directories of the caller's PATH, if programs are looked for there
  RunUser user;
  std::span<const ProtectedInput> inputs{};
};

// For a grant of either tier that leads to nothing; `key` is "filesystem.read" or
// "filesystem.write".
[[nodiscard]] Violation grant_missing(const Grant& grant, const Located& located,
                                      std::string_view key, const PathLookup& lookup);

// For a workspace that a run could not be allowed to write to.
[[nodiscard]] Violation workspace_of_system(const std::string& path);

[[nodiscard]] RootPlan plan_root(const Policy& policy, const RootNeeds& needs,
                                 const HostFacts& host, const PathLookup& lookup);

}  // namespace bawn
