#include <algorithm>
#include <span>

#include "base/text.h"
#include "front/cli/input/home_guard.h"
#include "validate/scope.h"

namespace bawn::cli {
namespace {

// Projects can be below these directories, but none of these is a project. The names are without
// symbolic links; the caller has resolved links such as /bin on most systems.
constexpr std::string_view kPlaces[] = {
    "/home", "/media", "/mnt", "/opt", "/root", "/srv", "/tmp", "/usr", "/var", "/usr/local",
    "/usr/local/bin", "/usr/local/etc", "/usr/local/include", "/usr/local/lib",
    "/usr/local/libexec", "/usr/local/sbin", "/usr/local/share", "/usr/local/src", "/usr/src",
    "/var/lib", "/var/local", "/var/opt", "/var/tmp",
    // macOS
    "/private", "/private/tmp", "/private/var", "/Users", "/Volumes", "/Library", "/Applications",
    // Windows
    "/c/Users", "/c/Program Files"};

// Neither these directories nor anything below them is a project.
constexpr std::string_view kTrees[] = {
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run",
    "/sbin", "/snap", "/sys", "/nix/store", "/gnu/store", "/usr/bin", "/usr/games", "/usr/include",
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/libx32", "/usr/sbin",
    "/usr/share",
    // Files of services: logs, mail, jobs of cron and printers, caches, backups of root's files.
    "/var/account", "/var/adm", "/var/backups", "/var/cache", "/var/crash", "/var/db", "/var/empty",
    "/var/games", "/var/lock", "/var/log", "/var/mail", "/var/run", "/var/spool", "/var/yp",
    "/var/lib/apt", "/var/lib/dpkg", "/var/lib/pacman", "/var/lib/rpm", "/var/lib/systemd",
    // macOS
    "/System", "/private/etc", "/private/var/backups", "/private/var/db", "/private/var/log",
    "/private/var/mail", "/private/var/run", "/private/var/spool", "/private/var/vm",
    // Windows
    "/c/Windows"};

// Each direct entry of these holds the state of one service. Projects of a build service are
// deeper.
constexpr std::string_view kShelves[] = {"/var/lib", "/var/opt"};

// fsck puts recovered files into this directory at the root of a file system.
constexpr std::string_view kFoundByFsck = "lost+found";

template <class Test>
bool any(std::span<const std::string_view> names, const Test& test) {
  return std::ranges::any_of(names, test);
}

std::string_view parent_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

bool has_part(std::string_view path, std::string_view name) {
  const auto parts = split(path, '/');
  return std::ranges::find(parts, name) != parts.end();
}

}  // namespace

bool is_system_place(std::string_view real) {
  const auto is_above = [&](std::string_view name) { return path_is_within(name, real); };
  const auto is_below = [&](std::string_view name) { return path_is_within(real, name); };
  return any(kPlaces, is_above) || any(kTrees, is_above) || any(kTrees, is_below) ||
         any(kShelves, [&](std::string_view name) { return parent_of(real) == name; }) ||
         has_part(real, kFoundByFsck);
}

}  // namespace bawn::cli
