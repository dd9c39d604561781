// The file system of a run in tier c, as a value: what is where, in the order in which it is put there.
//
// The system is readable, the workspace and what the policy grants lie at their own paths, and everything else that the
// command sees was made for this run and goes with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/facts.h"
#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/validate.h"

namespace bawn {

enum class RootPartKind {
  bind,       // something of the host that was located
  mirror,     // a path of the system, as it is on the host, if it is there
  directory,  // an empty one, read-only
  scratch,    // an empty one, writable
  link,
  file,
  proc,
  terminals,
  hidden,  // nothing to see where something is
};

// Who the command is, inside and to the host.
struct RunUser {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t host_uid = 0;
  std::uint32_t host_gid = 0;
};

struct RootPart {
  RootPartKind kind = RootPartKind::directory;
  std::string destination;
  std::string origin;  // "system", "workspace", "filesystem.read", "workspace.protect"
  bool writable = false;
  bool device = false;
  std::string text{};  // of a file; target of a link
  Located source{};    // of a bind
};

struct RootPlan {
  std::vector<RootPart> parts;
  std::string home;  // where HOME is inside
  std::string cwd;
  // Protected names that do not exist. Nothing can be mounted on them, so they are looked for after the run.
  std::vector<std::string> still_missing;
  Violations violations;
};

// What the root must hold besides the policy's wishes.
struct RootNeeds {
  const Verdict* verdict = nullptr;
  bool own_network = false;
  std::string caller_home;              // "" if unknown
  std::span<const std::string> search;  // directories of the caller's PATH, if programs are looked for there
  RunUser user;
};

// For a grant of either tier that leads to nothing; `key` is "filesystem.read" or "filesystem.write".
[[nodiscard]] Violation grant_missing(const std::string& path, const Located& located, std::string_view key);

// For a workspace that a run could not be allowed to write to.
[[nodiscard]] Violation workspace_of_system(const std::string& path);

[[nodiscard]] RootPlan plan_root(const Policy& policy, const RootNeeds& needs, const HostFacts& host,
                                 const PathLookup& lookup);

}  // namespace bawn
