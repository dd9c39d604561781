#include "host/system_facts.h"

namespace bawn {

HostFacts linux_facts() {
  HostFacts facts;
  facts.tier_b = true;
  facts.tier_c =
      true;  // it is tried: a namespace that cannot be made ends the run before anything ran
  facts.boundary_b = Boundary::landlock;
  facts.boundary_c = Boundary::namespaces;
  // 0 is about files alone: where kernel.core_pattern names a program, that is started all the
  // same, by the host's root and outside of every namespace, with what the command has in its
  // memory. Not so with 1, and for a file that is too small.
  facts.no_core_bytes = 1;
  facts.system_paths = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt",
                        // Of /etc only what programs read to start and to name things; nothing that
                        // could hold a secret.
                        "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf",
                        "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime",
                        "/etc/timezone", "/etc/locale.alias", "/etc/locale.conf", "/etc/passwd",
                        "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf",
                        "/etc/resolv.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols",
                        "/etc/os-release", "/etc/debian_version", "/etc/mime.types", "/etc/magic",
                        "/etc/inputrc", "/etc/terminfo", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
                        "/etc/pki/tls/certs", "/etc/ca-certificates", "/etc/fonts", "/etc/java",
                        "/etc/java-17-openjdk", "/etc/python3", "/etc/perl", "/proc"};
  facts.device_paths = {kRootDevicePaths.begin(), kRootDevicePaths.end()};
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
      // The loader's shared cache: since macOS 13, and before.
      "/System/Volumes/Preboot/Cryptexes", "/private/var/db/dyld",
      // Rosetta's translations.
      "/private/var/db/oah", "/Library/Apple",
      // Compilers, languages and what package managers install for everybody.
      "/Applications/Xcode.app", "/Library/Developer/CommandLineTools", "/Library/Frameworks",
      "/Library/Java", "/nix/store", "/opt",
      // Which tools xcrun uses, and which shell sh is.
      "/private/var/db/xcode_select_link", "/private/var/select",
      // Of /etc only what programs read to start and to name things; nothing that could hold a
      // secret.
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
