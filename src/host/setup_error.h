// Classifies an errno of one setup step: can this host never do it, or not at this moment?
//
// Only "never" justifies a weaker tier, and only if the policy accepts one. A host that is short of
// a resource could build the full sandbox a moment later. If a shortage led to a weaker tier,
// anyone able to use up that resource could choose the weaker tier. Pure, except
// read_namespace_limits().
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "host/facts.h"

namespace bawn {

enum class SetupError {
  impossible,  // this host always refuses it
  transient,   // a resource is used up for now: the run fails
  unclear,     // unknown which of the two: the run fails
};

// The sysctls user.max_*_namespaces of this user namespace, in the order of kNamespaceNames;
// nullopt if unreadable. Limits of outer user namespaces apply too and are not visible here.
using NamespaceLimits = std::array<std::optional<long>, kNamespaceNames.size()>;
[[nodiscard]] NamespaceLimits read_namespace_limits();
[[nodiscard]] std::optional<long> limit_of(const NamespaceLimits& limits, std::string_view kind);

// For a step whose system call is missing or forbidden.
[[nodiscard]] SetupError judge_setup_error(int sys_errno);

// For a call that makes namespaces of these kinds. Reaching a sysctl limit is a shortage; a limit
// of 0 means impossible.
[[nodiscard]] SetupError judge_new_namespaces(int sys_errno, const NamespaceLimits& limits,
                                              std::initializer_list<std::string_view> kinds);

// For finding, making, limiting or entering a cgroup. `sys_errno` 0: every call worked, but the
// place or the limit read back is not what the run needs.
[[nodiscard]] SetupError judge_cgroup(int sys_errno);

// For giving a mount an id map. EINVAL: the file system cannot have one, or the kernel has none.
// EPERM: the mount has a map already, or its file system belongs to another user namespace.
[[nodiscard]] SetupError judge_idmap(int sys_errno);

// Returns `error`, with kind `unsupported` if the judgement is `impossible`.
[[nodiscard]] Error judged(Error error, SetupError judgement);

// The hint for a resource shortage; "" if the errno is not a shortage. The second one is for cgroup
// steps.
[[nodiscard]] std::string_view shortage_hint(int sys_errno);
[[nodiscard]] std::string_view cgroup_shortage_hint(int sys_errno);

}  // namespace bawn
