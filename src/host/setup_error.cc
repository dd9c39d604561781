#include "host/setup_error.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/text.h"
#include "sys/control_file.h"

namespace bawn {
namespace {

// ENODEV: the kernel lacks this file system.
constexpr std::array kImpossible = {EPERM, EACCES, ENOSYS, EINVAL, ENODEV, EROFS};

// In cgroupfs: ENOENT, a missing controller or file; EBUSY, processes in an inner cgroup;
// EOPNOTSUPP, a threaded cgroup.
constexpr std::array kImpossibleForCgroup = {ENOENT, EBUSY, EOPNOTSUPP};

// ENOSPC: a limit on namespaces, or more than 32 nested ones. Kernels before 4.9 return EUSERS.
constexpr std::array kTransient = {EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC, EUSERS};

template <typename Numbers>
bool holds(const Numbers& numbers, int number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

bool is_limit_of_namespaces(int sys_errno) { return sys_errno == ENOSPC || sys_errno == EUSERS; }

std::optional<long> read_limit(std::string_view kind) {
  const auto text = sys::read_control(AT_FDCWD, concat("/proc/sys/user/max_", kind, "_namespaces"));
  if (!text) return std::nullopt;
  long number = 0;
  const std::string& digits = text.value();
  const auto [stop, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return problem == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

NamespaceLimits read_namespace_limits() {
  NamespaceLimits limits;
  std::ranges::transform(kNamespaceNames, limits.begin(), read_limit);
  return limits;
}

std::optional<long> limit_of(const NamespaceLimits& limits, std::string_view kind) {
  const auto* const found = std::ranges::find(kNamespaceNames, kind);
  if (found == kNamespaceNames.end()) return std::nullopt;
  return limits[static_cast<std::size_t>(found - kNamespaceNames.begin())];
}

SetupError judge_setup_error(int sys_errno) {
  if (holds(kImpossible, sys_errno)) return SetupError::impossible;
  return holds(kTransient, sys_errno) ? SetupError::transient : SetupError::unclear;
}

SetupError judge_new_namespaces(int sys_errno, const NamespaceLimits& limits,
                                std::initializer_list<std::string_view> kinds) {
  if (!is_limit_of_namespaces(sys_errno)) return judge_setup_error(sys_errno);
  const bool allows_none = std::ranges::any_of(
      kinds, [&](std::string_view kind) { return limit_of(limits, kind) == 0; });
  return allows_none ? SetupError::impossible : SetupError::transient;
}

SetupError judge_cgroup(int sys_errno) {
  if (sys_errno == 0 || holds(kImpossibleForCgroup, sys_errno)) return SetupError::impossible;
  return judge_setup_error(sys_errno);
}

SetupError judge_idmap(int sys_errno) {
  const bool is_lacking = sys_errno == EINVAL || sys_errno == EPERM || sys_errno == ENOSYS;
  return is_lacking ? SetupError::impossible : SetupError::transient;
}

Error judged(Error error, SetupError judgement) {
  if (judgement == SetupError::impossible) error.kind = ErrorKind::unsupported;
  return error;
}

std::string_view shortage_hint(int sys_errno) {
  switch (sys_errno) {
    case EAGAIN:
      return "the limit on processes is reached (ulimit -u, pids.max of a cgroup, sysctl "
             "kernel.threads-max): end some and try again";
    case ENOSPC:
    case EUSERS:
      return "the limit on namespaces is reached, here or in a user namespace around this one "
             "('bawn doctor' tells which sysctl user.max_*_namespaces): end other sandboxes or "
             "raise it, and try again; or try --tier process (policy key: tier.use), which needs "
             "no namespaces";
    default:
      return shortage_remedy(sys_errno);
  }
}

std::string_view cgroup_shortage_hint(int sys_errno) {
  if (sys_errno != EAGAIN && sys_errno != ENOSPC) return shortage_hint(sys_errno);
  return "the limit on cgroups (cgroup.max.descendants) or processes (ulimit -u) is reached: "
         "remove some and try again";
}

}  // namespace bawn
