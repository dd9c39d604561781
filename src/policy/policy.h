// What a caller permits: the whole policy as one plain value.
//
// A Policy comes from a preset, a file on top of a preset, and flags on top of both. It never comes
// from the workspace or from a Request. A value that a source leaves out keeps the value of the
// preset below it. A file that names no preset builds on `agent`, which permits no program.
//
// A default-constructed Policy is not a safe preset: its limits are all unlimited. This folder
// knows only the shape of a policy and its text forms; validate/ and plan/ take the decisions.
//
// A part that other code works with by itself has a header of its own. Include that one, and
// forward-declare Policy, unless all of it is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policy/egress_policy.h"
#include "policy/environment_policy.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/limit.h"
#include "policy/tier.h"
#include "policy/workspace_policy.h"

namespace bawn {

// Words on a command line that are refused wherever they stand.
struct ArgumentsPolicy {
  std::vector<std::string> refuse_paths;  // absolute prefixes that no argument may name
  // Texts that are refused wherever a string would reach a shell.
  std::vector<std::string> refuse_patterns;
  bool operator==(const ArgumentsPolicy&) const = default;
};

// The user and process ids of the command. It has no capability in any case.
struct IdentityPolicy {
  bool as_root = false;  // the command sees itself as root
  // The uid and gid that the host sees; empty: the caller's, or for root one of the ids below.
  // Another one needs a caller that is root.
  std::optional<std::uint64_t> uid;
  std::optional<std::uint64_t> gid;
  // A run of root's gets one of these host ids. The default lies above the ids of users and of
  // systemd's containers, and below 2^31.
  std::uint64_t first_host_id = 0x7000'0000;
  std::uint64_t host_id_count = 0x0fff'0000;
  // The caller's subordinate ids (/etc/subuid, /etc/subgid) are mapped inside, too.
  bool id_ranges = false;
  // The command is process 1 of the pid namespace that it sees, as an init system expects.
  bool as_pid_1 = false;
  bool operator==(const IdentityPolicy&) const = default;
};

// The filter of system calls.
struct SystemCallsPolicy {
  std::string profile = "default";  // "default", "strict", or the absolute path of a profile
  bool operator==(const SystemCallsPolicy&) const = default;
};

// Secrets in the output.
struct RedactionPolicy {
  bool enabled = true;
  std::vector<std::string> secrets;  // literal texts to remove beside the known shapes
  bool operator==(const RedactionPolicy&) const = default;
};

struct Policy {
  TierPolicy tier;
  WorkspacePolicy workspace;
  FilesystemPolicy filesystem;
  ExecutablesPolicy executables;
  ArgumentsPolicy arguments;
  EnvironmentPolicy environment;
  IdentityPolicy identity;
  SystemCallsPolicy system_calls;

  // What the macOS sandbox profile permits in addition. Other systems do not need it: there the run
  // has a separate loopback interface, and no system service checks certificates.
  struct Macos {
    bool loopback = false;       // without network, the loopback addresses all the same
    bool trust_service = false;  // trustd
    bool operator==(const Macos&) const = default;
  } macos;

  EgressPolicy egress;
  Limits limits;

  struct Background {
    std::uint64_t processes = 0;  // how many background runs a session may have
    Limit lifetime_ms = 0;
    Limit output_bytes = 0;  // kept per background run
    bool operator==(const Background&) const = default;
  } background;

  RedactionPolicy redaction;

  bool operator==(const Policy&) const = default;
};

}  // namespace bawn
