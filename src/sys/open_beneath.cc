#include "sys/open_beneath.h"

#include <fcntl.h>

#include <string>

#include "sys/call.h"

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace bawn::sys {
namespace {

constexpr int kCareful = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
constexpr std::string_view kWhat = "open a file of the workspace";

Result<Fd> open_name(int directory, const std::string& name, int flags) {
  BAWN_ASSIGN(const int fd,
              checked(kWhat, [&] { return ::openat(directory, name.c_str(), flags | kCareful); }));
  return Fd(fd);
}

Result<Fd> open_by_components(int directory, std::string_view path, int flags) {
  Fd parent;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const int from = parent ? parent.get() : directory;
    BAWN_ASSIGN(parent,
                open_name(from, std::string(path.substr(0, slash)), O_RDONLY | O_DIRECTORY));
    path.remove_prefix(slash + 1);
  }
  return open_name(parent ? parent.get() : directory, std::string(path), flags);
}

}  // namespace

Result<Fd> open_beneath(int directory, std::string_view path, int flags) {
  if (path.empty()) path = ".";
  if (path.find('/') == std::string_view::npos)
    return open_name(directory, std::string(path), flags);
#ifdef __linux__
  open_how how{};
  how.flags = static_cast<unsigned>(flags | kCareful);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const std::string spelled(path);
  const long fd =
      retried([&] { return ::syscall(SYS_openat2, directory, spelled.c_str(), &how, sizeof how); });
  if (fd >= 0) return Fd(static_cast<int>(fd));
  if (errno != ENOSYS && errno != EPERM) return system_error(errno, kWhat);
#endif
  return open_by_components(directory, path, flags);
}

}  // namespace bawn::sys
