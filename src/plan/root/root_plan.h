// The root of a tier c run as a value: a list of MountOps in the order in which they are made.
//
// System directories are read-only. The workspace is at its host path, and a grant at its host path
// or at its destination. Other files are copies or read-only binds of host files
// (MountOpKind::mirror), or lie in the run's tmpfs and disappear with it.
//
// A grant with a destination covers what the host has there, without changing it. bawn creates no
// mount point on the host: a destination inside another grant or the workspace needs an existing
// file or directory of the same kind.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "plan/input_protection.h"
#include "plan/root/mount_op.h"
#include "plan/root/setup_plan.h"
#include "validate/lookup.h"
#include "validate/validate.h"

namespace bawn {

struct Grant;
struct Policy;

struct RootPlan {
  std::vector<MountOp> mounts;
  std::size_t base_mount_count = 0;  // mounts[0, base_mount_count) are the base mounts
  std::string home;                  // guest path of HOME
  std::string cwd;
  // Where files can be mapped as code in a run whose programs are listed: `ld.so FILE` works there.
  std::vector<std::string> library_directories;
  // Protected names that do not exist. A mount needs an existing target, so bawn checks after the
  // run whether the command made them.
  std::vector<std::string> still_missing;
  Violations violations;
};

// What a root is made of.
struct RootInput {
  const Policy& policy;
  const Verdict& verdict;
  const SetupPlan& setup;   // of the same policy
  std::string caller_home;  // "" if unknown
  // Directories of the caller's PATH, if programs are searched there.
  std::span<const std::string> search;
  std::span<const ProtectedInput> inputs;  // and hooks of git
};

// The violation for a grant whose path does not exist; `key` is "filesystem.read" or
// "filesystem.write".
[[nodiscard]] Violation grant_missing(const Grant& grant, const Located& located,
                                      std::string_view key, const PathLookup& lookup);

// The violation for a workspace that contains system directories or lies in them.
[[nodiscard]] Violation workspace_of_system(const std::string& path);

// Pure except for `lookup`. If there are violations, the mounts must not be used.
[[nodiscard]] RootPlan plan_root(const RootInput& input, const PathLookup& lookup);

}  // namespace bawn
