// What the error of one step says about the host on which a sandbox is made. Pure, but for the
// reading of limits.
//
// Only a host that cannot do a thing at all is a reason for a weaker sandbox, if the policy accepts
// one. A host that is short of something would give the whole sandbox a moment later, and whoever
// can use things up could choose the weaker one.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "host/facts.h"

namespace bawn {

enum class SetupError {
  impossible,  // this host refuses it, however often it is asked
  transient,   // something is used up that comes back: the run fails
  unclear,     // neither is certain: the run fails
};

// The sysctls user.max_*_namespaces of this user namespace, in the order of kNamespaceNames. None:
// it cannot be read. The limits of the user namespaces around this one hold as well and cannot be
// seen from here.
using NamespaceLimits = std::array<std::optional<long>, kNamespaceNames.size()>;
[[nodiscard]] NamespaceLimits read_namespace_limits();
[[nodiscard]] std::optional<long> limit_of(const NamespaceLimits& limits, std::string_view kind);

// A step about the host: a call that it has not got or that it forbids.
[[nodiscard]] SetupError judge_setup_error(int sys_errno);

// A call that makes namespaces of these kinds. As many as a sysctl allows is a shortage; a sysctl
// that allows none is not.
[[nodiscard]] SetupError judge_new_namespaces(int sys_errno, const NamespaceLimits& limits,
                                              std::initializer_list<std::string_view> kinds);

// Finding a place for a cgroup, making it, setting a limit in it or entering it. 0: every call
// worked, and the place or the limit that was read back is not what a run needs.
[[nodiscard]] SetupError judge_cgroup(int sys_errno);

// The error, of kind `unsupported` if it is impossible here.
[[nodiscard]] Error judged(Error error, SetupError judgement);

// What helps a host that is short of something; "" for errors that are no shortage. The second:
// around a cgroup.
[[nodiscard]] std::string_view shortage_hint(int sys_errno);
[[nodiscard]] std::string_view cgroup_shortage_hint(int sys_errno);

}  // namespace bawn
