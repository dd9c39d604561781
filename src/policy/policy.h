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

#include "policy/arguments_policy.h"
#include "policy/egress_policy.h"
#include "policy/environment_policy.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/identity_policy.h"
#include "policy/limit.h"
#include "policy/redaction_policy.h"
#include "policy/system_calls_policy.h"
#include "policy/tier.h"
#include "policy/workspace_policy.h"

namespace bawn {

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
