// The paths of a Linux host that every run may read, whatever its policy says.
//
// This is the only list of them. Tier b gets a Landlock rule for every row (HostFacts). Tier c
// shows the host's file, unless the row says otherwise. The validator, the planner of tier c's root
// and the doctor use the lists below the table, which are derived from it.
//
// A file belongs here if programs need it to start or to work as they do outside, and if it holds
// no secrets: root wrote it for every user of the host. Paths that do not exist are left out.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace bawn {

enum class SystemPathKind : std::uint8_t {
  tree,     // programs and libraries
  library,  // a tree of libraries, or of packages that each have both
  setting,  // a file or directory in /etc
  device,   // readable and writable
};

// What a root of tier c has at the path. In tier b the command always gets the host's file: there
// every name of the host exists, and programs that accept a missing setting (ENOENT) stop at one
// that they may not read (EACCES).
enum class InTierC : std::uint8_t {
  shown,        // the host's file, read-only if it is not a device
  own_version,  // a file or mount that bawn makes for the run
  absent,       // nothing
};

struct SystemPath {
  std::string_view path;  // a literal, so a null follows it
  SystemPathKind kind;
  InTierC in_tier_c = InTierC::shown;
};

// Neighbours are listed together because init opens each directory once.
inline constexpr SystemPath kSystemPaths[] = {
    {"/usr", SystemPathKind::tree},
    {"/bin", SystemPathKind::tree},
    {"/sbin", SystemPathKind::tree},
    {"/lib", SystemPathKind::library},
    {"/lib32", SystemPathKind::library},
    {"/lib64", SystemPathKind::library},
    {"/libx32", SystemPathKind::library},
    {"/opt", SystemPathKind::tree},
    {"/nix/store", SystemPathKind::library},
    {"/gnu/store", SystemPathKind::library},
    // A new procfs, which knows the processes of the run alone.
    {"/proc", SystemPathKind::tree, InTierC::own_version},

    // The host's versions would disclose its users and its network. resolv.conf is the host's if
    // the run shares the host's network, and absent otherwise.
    {"/etc/passwd", SystemPathKind::setting, InTierC::own_version},
    {"/etc/group", SystemPathKind::setting, InTierC::own_version},
    {"/etc/nsswitch.conf", SystemPathKind::setting, InTierC::own_version},
    {"/etc/hosts", SystemPathKind::setting, InTierC::own_version},
    {"/etc/resolv.conf", SystemPathKind::setting, InTierC::own_version},

    // Without these, programs do not start or give other results than outside.
    {"/etc/alternatives", SystemPathKind::setting},
    {"/etc/fonts", SystemPathKind::setting},
    // git stops if the file exists and cannot be read, and tools that clean git's environment
    // (pre-commit, setuptools-scm) remove GIT_CONFIG_NOSYSTEM. The programs that the file names, as
    // credential helpers, run inside. A token in it is readable by every run, as it is by every
    // user of the host.
    {"/etc/gitconfig", SystemPathKind::setting},
    {"/etc/java", SystemPathKind::setting},
    {"/etc/java-11-openjdk", SystemPathKind::setting},
    {"/etc/java-17-openjdk", SystemPathKind::setting},
    {"/etc/java-21-openjdk", SystemPathKind::setting},
    {"/etc/ld.so.cache", SystemPathKind::setting},
    {"/etc/ld.so.conf", SystemPathKind::setting},
    {"/etc/ld.so.conf.d", SystemPathKind::setting},
    {"/etc/localtime", SystemPathKind::setting},
    {"/etc/mime.types", SystemPathKind::setting},
    {"/etc/os-release", SystemPathKind::setting},
    {"/etc/protocols", SystemPathKind::setting},
    {"/etc/services", SystemPathKind::setting},
    {"/etc/timezone", SystemPathKind::setting},
    // Maven's settings.xml, beside it, may hold passwords.
    {"/etc/maven/m2.conf", SystemPathKind::setting},
    // Certificates that everybody may have. On Fedora and Arch the files are links into the two
    // directories named "extracted".
    {"/etc/ssl/certs", SystemPathKind::setting},
    {"/etc/ssl/openssl.cnf", SystemPathKind::setting},
    {"/etc/pki/tls/certs", SystemPathKind::setting},
    {"/etc/pki/ca-trust/extracted", SystemPathKind::setting},
    {"/etc/ca-certificates/extracted", SystemPathKind::setting},

    // A program that does not find one of these uses its defaults, and a copy or mount would make
    // every start of tier c slower. In tier b some programs complain or stop if they may not read
    // it. Left out of both tiers: /etc/profile, because it replaces PATH and so loses the tools
    // that the policy shows, and settings that may hold passwords and that programs can do without:
    // wgetrc, npmrc, pip.conf.
    {"/etc/bash.bashrc", SystemPathKind::setting, InTierC::absent},
    {"/etc/debian_version", SystemPathKind::setting, InTierC::absent},
    {"/etc/dpkg", SystemPathKind::setting, InTierC::absent},
    {"/etc/gai.conf", SystemPathKind::setting, InTierC::absent},
    {"/etc/gdb", SystemPathKind::setting, InTierC::absent},
    {"/etc/host.conf", SystemPathKind::setting, InTierC::absent},
    {"/etc/inputrc", SystemPathKind::setting, InTierC::absent},
    {"/etc/ld.so.preload", SystemPathKind::setting, InTierC::absent},
    {"/etc/locale.alias", SystemPathKind::setting, InTierC::absent},
    {"/etc/locale.conf", SystemPathKind::setting, InTierC::absent},
    {"/etc/magic", SystemPathKind::setting, InTierC::absent},
    {"/etc/maven/logging", SystemPathKind::setting, InTierC::absent},
    {"/etc/perl", SystemPathKind::setting, InTierC::absent},
    {"/etc/python3", SystemPathKind::setting, InTierC::absent},
    {"/etc/terminfo", SystemPathKind::setting, InTierC::absent},

    {"/dev/null", SystemPathKind::device},
    {"/dev/zero", SystemPathKind::device},
    {"/dev/full", SystemPathKind::device},
    {"/dev/random", SystemPathKind::device},
    {"/dev/urandom", SystemPathKind::device},
    // The terminal of the session that opens it. The command has a session of its own, so this is
    // the run's private terminal or none.
    {"/dev/tty", SystemPathKind::device},
};

constexpr bool is_readable(const SystemPath& row) { return row.kind != SystemPathKind::device; }
constexpr bool is_shown(const SystemPath& row) {
  return is_readable(row) && row.in_tier_c == InTierC::shown;
}
constexpr bool is_shown_tree(const SystemPath& row) {
  return is_shown(row) && (row.kind == SystemPathKind::tree || row.kind == SystemPathKind::library);
}
constexpr bool is_shown_setting(const SystemPath& row) {
  return is_shown(row) && row.kind == SystemPathKind::setting;
}
constexpr bool is_own_version(const SystemPath& row) {
  return row.in_tier_c == InTierC::own_version;
}
constexpr bool is_device(const SystemPath& row) { return row.kind == SystemPathKind::device; }

// The paths of the rows for which `matches` is true, in the order of the table.
template <bool (*matches)(const SystemPath&)>
constexpr auto system_paths_where() {
  constexpr auto kCount = std::count_if(std::begin(kSystemPaths), std::end(kSystemPaths), matches);
  std::array<std::string_view, static_cast<std::size_t>(kCount)> out{};
  std::size_t next = 0;
  for (const SystemPath& row : kSystemPaths) {
    if (matches(row)) out[next++] = row.path;
  }
  return out;
}

// Tier b may read these.
inline constexpr auto kReadablePaths = system_paths_where<is_readable>();
// Those that are the same in tier c: its root has the host's file at the host's path.
inline constexpr auto kShownPaths = system_paths_where<is_shown>();
inline constexpr auto kShownTrees = system_paths_where<is_shown_tree>();
inline constexpr auto kShownSettings = system_paths_where<is_shown_setting>();
// The directories from which libraries are loaded, beside the trees that are `library`.
inline constexpr std::array<std::string_view, 5> kLibraryDirectories = {
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/local/lib"};
constexpr bool is_library_tree(std::string_view path) {
  return std::any_of(std::begin(kSystemPaths), std::end(kSystemPaths), [&](const SystemPath& row) {
    return row.path == path && row.kind == SystemPathKind::library;
  });
}
// At these paths bawn makes something for each run of tier c.
inline constexpr auto kOwnVersionPaths = system_paths_where<is_own_version>();
// In both tiers.
inline constexpr auto kDevicePaths = system_paths_where<is_device>();

}  // namespace bawn
