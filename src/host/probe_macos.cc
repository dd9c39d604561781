#include <libproc.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "host/probe.h"
#include "host/system_facts.h"

namespace bawn {
namespace {

// The user's temporary directory, which other users cannot read. Canonical, because a sandbox
// profile compares canonical paths.
std::string user_directory(const std::string& otherwise) {
  std::array<char, PATH_MAX> named{};
  std::array<char, PATH_MAX> real{};
  const std::size_t length = confstr(_CS_DARWIN_USER_TEMP_DIR, named.data(), named.size());
  if (length == 0 || length > named.size() || realpath(named.data(), real.data()) == nullptr)
    return otherwise;
  return real.data();
}

}  // namespace

HostFacts probe_host() {
  HostFacts facts = macos_facts();
  facts.tier_c = access("/usr/bin/sandbox-exec", X_OK) == 0;
  if (!facts.tier_c) facts.tier_c_reason = "there is no /usr/bin/sandbox-exec that may be executed";
  facts.uid = geteuid();
  facts.gid = getegid();
  facts.process_limit_binds = getuid() != 0;
  facts.private_parent = user_directory(facts.private_parent);
  return facts;
}

// On macOS RLIMIT_NPROC counts processes, not threads.
Result<std::uint64_t> probe_user_tasks() {
  const int bytes = proc_listpids(PROC_RUID_ONLY, getuid(), nullptr, 0);
  if (bytes <= 0) return 0;
  std::vector<pid_t> pids(static_cast<std::size_t>(bytes) / sizeof(pid_t) + 64);
  const int filled = proc_listpids(PROC_RUID_ONLY, getuid(), pids.data(),
                                   static_cast<int>(pids.size() * sizeof(pid_t)));
  return filled <= 0 ? 0 : static_cast<std::uint64_t>(filled) / sizeof(pid_t);
}

}  // namespace bawn
