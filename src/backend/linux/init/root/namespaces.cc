#include "backend/linux/init/root/namespaces.h"

#include <fcntl.h>

#include "backend/linux/init/kernel.h"
#include "backend/linux/init/step_times.h"

namespace bawn::init {
namespace {

// Through the host's /proc, which still shows this process. A new network namespace is entered
// later and read then.
long read_namespaces(const Setup& setup, Readback& readback) {
  const long directory =
      kernel(__NR_openat, AT_FDCWD, "/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  if (directory < 0) return directory;
  for (std::uint32_t i = 0; i < kCgroupNamespace; ++i) {
    if (i == kNetworkNamespace && setup.new_netns) continue;
    if (const long error =
            read_namespace(static_cast<int>(directory), kNamespaces[i], readback.namespaces[i]);
        error < 0)
      return error;
  }
  kernel(__NR_close, directory);
  return kernel(__NR_getpid) == 1 ? 0 : kEsrch;
}

constexpr long kMostGroups = 65536;
std::uint32_t all_groups[kMostGroups];  // too large for the stack of a small process

// The supplementary groups often include the process's gid as well, which does not count. A group
// of the caller that is not mapped into the user namespace shows as the overflow gid 65534; it
// always counts, even if the process's own gid is 65534.
long count_other_groups(std::uint32_t own) {
  constexpr std::uint32_t kForeign = 65534;
  const long count = kernel(__NR_getgroups, kMostGroups, all_groups);
  long others = count;
  for (long i = 0; i < count; ++i) {
    if (all_groups[i] == own && own != kForeign) --others;
  }
  return others;
}

// With switch_user, root started the run for another user: from here on no step runs as root.
long become_user(const Setup& setup, Readback& readback) {
  // A container may forbid setgroups. Then the run keeps the caller's groups, as it does without
  // root, and the receipt counts them. But a run for another user must not have them: that fails.
  if (setup.drop_groups) {
    const long error = kernel(__NR_setgroups, 0, nullptr);
    if (error < 0 && (error != kEperm || setup.switch_user)) return error;
  }
  if (setup.switch_user) {
    if (const long error = kernel(__NR_setresgid, setup.gid, setup.gid, setup.gid); error < 0)
      return error;
    if (const long error = kernel(__NR_setresuid, setup.uid, setup.uid, setup.uid); error < 0)
      return error;
  }
  readback.uid = static_cast<std::uint32_t>(kernel(__NR_getuid));
  readback.gid = static_cast<std::uint32_t>(kernel(__NR_getgid));
  readback.groups = static_cast<std::int32_t>(count_other_groups(readback.gid));
  const bool groups_are_right =
      readback.groups >= 0 && (!setup.switch_user || readback.groups == 0);
  return readback.uid == setup.uid && readback.gid == setup.gid && groups_are_right ? 0 : kEperm;
}

}  // namespace

long read_namespace(int directory, const char* name, std::uint64_t& inode) {
  char link[64];
  const long length = kernel(__NR_readlinkat, directory, name, link, sizeof link);
  if (length < 0) return length;
  long at = 0;
  while (at < length && link[at] != '[') ++at;
  for (++at; at < length && link[at] >= '0' && link[at] <= '9'; ++at)
    inode = inode * 10 + static_cast<std::uint64_t>(link[at] - '0');
  return inode != 0 ? 0 : kEsrch;
}

long compare_namespaces(const Exec& exec, const Readback& readback) {
  for (std::uint32_t i = 0; i < kCgroupNamespace; ++i) {
    const std::uint64_t outer = exec.outer_namespaces[i];
    if (outer != 0 && readback.namespaces[i] == outer) return kEsrch;
  }
  return 0;
}

NamespaceFailure furnish_namespaces(const NamespaceOrder& order) {
  if (const long error = read_namespaces(*order.setup, *order.readback); error < 0)
    return {Step::read_namespaces, error};
  record_time(order.step_times, Step::read_namespaces);
  if (const long error = become_user(*order.setup, *order.readback); error < 0)
    return {Step::become_user, error};
  record_time(order.step_times, Step::become_user);
  constexpr char kName[] = "bawn";
  // The kernel's initial NIS domain name. Without this the run would inherit the host's.
  constexpr char kNoDomain[] = "(none)";
  long named = kernel(__NR_sethostname, kName, sizeof kName - 1);
  if (named >= 0) named = kernel(__NR_setdomainname, kNoDomain, sizeof kNoDomain - 1);
  record_time(order.step_times, Step::host_name);
  return {Step::host_name, named};
}

}  // namespace bawn::init
