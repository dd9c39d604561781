// The policy of a test's runs, by its parts.
//
// Most tests of whole runs change one part of a policy. They include the header of that part and
// this one, so a change in policy/policy.h does not recompile them all. A test that needs another
// part includes policy/policy.h and makes a Policy of it: `Policy policy = fixture_policy()`.
#pragma once

#include <memory>

namespace bawn {

struct ArgumentsPolicy;
struct EgressPolicy;
struct EnvironmentPolicy;
struct ExecutablesPolicy;
struct FilesystemPolicy;
struct IdentityPolicy;
struct Limits;
struct Policy;
struct RedactionPolicy;
struct SystemCallsPolicy;
struct TierPolicy;
struct WorkspacePolicy;

// A value: a copy has parts of its own.
class FixturePolicy {
  std::unique_ptr<Policy> policy_;  // before the references into it

 public:
  explicit FixturePolicy(const Policy& policy);
  FixturePolicy(const FixturePolicy& other);
  FixturePolicy& operator=(const FixturePolicy& other);
  ~FixturePolicy();

  operator const Policy&() const { return *policy_; }

  TierPolicy& tier;
  WorkspacePolicy& workspace;
  FilesystemPolicy& filesystem;
  ExecutablesPolicy& executables;
  ArgumentsPolicy& arguments;
  EnvironmentPolicy& environment;
  IdentityPolicy& identity;
  SystemCallsPolicy& system_calls;
  EgressPolicy& egress;
  Limits& limits;
  RedactionPolicy& redaction;
};

// Preset agent in fixture_tier(), with the guest on the allow list and limits that a loaded machine
// does not meet.
[[nodiscard]] FixturePolicy fixture_policy();

// Preset disabled, as it is.
[[nodiscard]] FixturePolicy disabled_policy();

// fixture_policy() without a sandbox and without what only a sandbox enforces. For controls.
[[nodiscard]] FixturePolicy unconfined_policy();

}  // namespace bawn
