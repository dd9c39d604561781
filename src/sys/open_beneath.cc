#include "sys/open_beneath.h"

#include <cerrno>
#include <cstdint>
#include <string>

#include "sys/call.h"

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace bawn::sys {
namespace {

constexpr std::string_view kWhat = "open a file of the workspace";

// O_PATH neither blocks nor opens a terminal, and openat2 refuses flags that it does not use.
constexpr int careful(int flags) {
  flags |= O_CLOEXEC | O_NOFOLLOW;
#ifdef O_PATH
  if ((flags & O_PATH) != 0) return flags;
#endif
  return flags | O_NONBLOCK | O_NOCTTY;
}

Result<Fd> open_name(int directory, const std::string& name, int flags) {
  BAWN_ASSIGN(const int fd,
              checked(kWhat, [&] { return ::openat(directory, name.c_str(), careful(flags)); }));
  return Fd(fd);
}

Result<Fd> open_by_components(int directory, std::string_view path, int flags) {
  Fd parent;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const int from = parent ? parent.get() : directory;
    BAWN_ASSIGN(parent, open_name(from, std::string(path.substr(0, slash)), kSearch));
    path.remove_prefix(slash + 1);
  }
  return open_name(parent ? parent.get() : directory, std::string(path), flags);
}

#ifdef __linux__
Result<Fd> open_resolved(int directory, std::string_view path, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = resolve | RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const std::string spelled(path);
  BAWN_ASSIGN(const long fd, checked(kWhat, [&] {
                return ::syscall(SYS_openat2, directory, spelled.c_str(), &how, sizeof how);
              }));
  return Fd(static_cast<int>(fd));
}
#endif

}  // namespace

Result<Fd> open_beneath(int directory, std::string_view path, int flags) {
  if (path.empty()) path = ".";
  if (path.find('/') == std::string_view::npos)
    return open_name(directory, std::string(path), flags);
#ifdef __linux__
  auto opened = open_resolved(directory, path, careful(flags), RESOLVE_NO_SYMLINKS);
  if (opened || (opened.error().sys_errno != ENOSYS && opened.error().sys_errno != EPERM))
    return opened;
#endif
  return open_by_components(directory, path, flags);
}

Result<Fd> open_beneath_through_links(int directory, std::string_view path, int flags) {
#ifdef __linux__
  return open_resolved(directory, path, careful(flags) & ~O_NOFOLLOW, 0);
#else
  static_cast<void>(directory), static_cast<void>(path), static_cast<void>(flags);
  return system_error(ENOSYS, kWhat);
#endif
}

}  // namespace bawn::sys
