#include "host/system_facts.h"

#include "host/system_paths.h"

namespace bawn {

HostFacts linux_facts() {
  HostFacts facts;
  facts.tier_b = true;
  // Assumed: a run tries it, and a namespace that cannot be made ends the run before the command
  // starts.
  facts.tier_c = true;
  facts.boundary_b = Boundary::landlock;
  facts.boundary_c = Boundary::namespaces;
  // RLIMIT_CORE 0 only prevents core files. If kernel.core_pattern is a pipe, the kernel still
  // starts that program as the host's root, outside every namespace, with the command's memory.
  // With 1 it starts no program, and a file of 1 byte is too small to be written.
  facts.no_core_bytes = 1;
  facts.system_paths = {kReadablePaths.begin(), kReadablePaths.end()};
  facts.device_paths = {kDevicePaths.begin(), kDevicePaths.end()};
  facts.private_parent = "/tmp";
  return facts;
}

HostFacts macos_facts() {
  HostFacts facts;
  facts.tier_b = true;
  facts.tier_c = true;
  facts.boundary_b = Boundary::none;
  facts.boundary_c = Boundary::profile;
  facts.cgroup_reason = "macOS has no cgroups";
  facts.lacking_limits = {
      {"memory_bytes", "macOS accepts a limit for the memory of a process and does not enforce it"},
      {"tmp_bytes", "macOS cannot bound the size of a directory"}};
  facts.process_limit_binds = true;
  facts.system_paths = {
      "/bin", "/sbin", "/usr", "/System/Library", "/System/Cryptexes", "/System/iOSSupport",
      // The dynamic loader's shared cache: since macOS 13, and before.
      "/System/Volumes/Preboot/Cryptexes", "/private/var/db/dyld",
      // Rosetta's translated code.
      "/private/var/db/oah", "/Library/Apple",
      // Compilers, languages and packages installed for all users.
      "/Applications/Xcode.app", "/Library/Developer/CommandLineTools", "/Library/Frameworks",
      "/Library/Java", "/nix/store", "/opt",
      // The tools that xcrun selects, and the shell that sh is.
      "/private/var/db/xcode_select_link", "/private/var/select",
      // From /etc only files that programs need to start and to resolve names. None of them holds
      // secrets.
      "/private/etc/group", "/private/etc/hosts", "/private/etc/localtime", "/private/etc/passwd",
      "/private/etc/protocols", "/private/etc/resolv.conf", "/private/etc/services",
      "/private/etc/shells", "/private/etc/ssl", "/private/var/db/timezone"};
  facts.device_paths = {"/dev/fd", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"};
  facts.private_parent = "/private/tmp";
  return facts;
}

HostFacts windows_facts() {
  HostFacts facts;
  facts.tier_b = true;
  facts.tier_c_reason =
      "Windows has neither namespaces nor sandbox profiles for programs that were not made for "
      "them";
  facts.cgroup_reason = "Windows has no cgroups";
  facts.boundary_b = Boundary::job;
  facts.boundary_c = Boundary::none;
  facts.lacking_limits = {{"open_files", "Windows has no limit for the open files of a process"},
                          {"file_bytes", "Windows has no limit for the size of a file"},
                          {"tmp_bytes", "Windows cannot bound the size of a directory"}};
  facts.process_limit_binds = true;
  return facts;
}

}  // namespace bawn
