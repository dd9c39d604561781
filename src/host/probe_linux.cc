#include <dirent.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>

#include "base/text.h"
#include "host/capability_probe.h"
#include "host/id_map.h"
#include "host/probe.h"
#include "host/rlimit.h"
#include "host/system_facts.h"
#include "sys/control_file.h"

namespace bawn {
namespace {

void probe_landlock(HostFacts& facts) {
  const long abi =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi > 0) facts.landlock_abi = static_cast<int>(abi);
  if (abi < 0 && errno != ENOSYS && errno != EOPNOTSUPP) facts.landlock_error = errno;
}

// Asks whether the action exists. Installing a filter would need a process to sacrifice.
bool probe_seccomp_filters() {
  const unsigned action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// Parses the link text "net:[4026531833]". stat() would make the kernel create an inode for the
// namespace. 0: unknown.
std::uint64_t inode_in_link(int directory, const char* name) {
  std::array<char, 64> text{};
  const ssize_t length = readlinkat(directory, name, text.data(), text.size());
  const std::string_view link(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::size_t bracket = link.find('[');
  std::uint64_t inode = 0;
  if (bracket != std::string_view::npos)
    std::from_chars(link.data() + bracket + 1, link.data() + link.size(), inode);
  return inode;
}

std::array<Limit, kProcessLimitCount> probe_hard_limits() {
  std::array<Limit, kProcessLimitCount> limits{};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const int resource = rlimit_resource(static_cast<ProcessLimit>(i));
    struct rlimit now {};
    if (getrlimit(static_cast<__rlimit_resource>(resource), &now) == 0 &&
        now.rlim_max != RLIM_INFINITY)
      limits[i] = now.rlim_max;
  }
  return limits;
}

}  // namespace

HostFacts probe_host() {
  HostFacts facts = linux_facts();
  probe_landlock(facts);
  facts.seccomp_filters = probe_seccomp_filters();
  facts.process_limit_binds = getuid() != 0;
  facts.hard_limits = probe_hard_limits();
  facts.uid = geteuid();
  facts.gid = getegid();
  facts.capabilities = probe_capabilities();
  return facts;
}

// A map that cannot be read is no reason: the run fails where it needs the ids.
std::string probe_lack_of_ids() {
  static constexpr IdExtent kAll = {0, 0, static_cast<std::uint32_t>(kNobodysId)};
  for (const char* file : {"/proc/self/uid_map", "/proc/self/gid_map"}) {
    const auto text = sys::read_control(AT_FDCWD, file);
    if (text && parse_id_map(text.value()) != IdMap{kAll})
      return "root is root of a user namespace that has only some of the host's ids";
  }
  return "";
}

NamespaceInodes probe_namespaces() {
  NamespaceInodes inodes{};
  const int directory = open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return inodes;
  for (std::size_t i = 0; i < kNamespaceNames.size(); ++i) {
    inodes[i] = inode_in_link(directory, kNamespaceNames[i].data());
  }
  close(directory);
  return inodes;
}

Result<std::uint64_t> probe_user_tasks() {
  struct Closer {
    void operator()(DIR* directory) const { closedir(directory); }
  };
  const std::unique_ptr<DIR, Closer> proc(opendir("/proc"));
  if (const int reason = errno; !proc && is_shortage(reason))
    return system_error(reason, "open '/proc'");
  if (!proc) return 0;
  std::uint64_t tasks = 0;
  while (const dirent* entry = readdir(proc.get())) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    struct stat status {};
    const std::string task = concat(std::string_view(entry->d_name), "/task");
    if (fstatat(dirfd(proc.get()), task.c_str(), &status, 0) == 0 && status.st_uid == getuid()) {
      // One subdirectory per thread; the other 2 links are "." and "..".
      tasks += status.st_nlink - 2;
    }
  }
  return tasks;
}

}  // namespace bawn
