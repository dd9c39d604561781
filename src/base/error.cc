#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"

namespace bawn {
namespace {

struct ErrnoName {
  int number;
  std::string_view name;
};

// The numbers that a launch can meet and that exist on every system we build for.
constexpr ErrnoName kErrnoNames[] = {
    {EPERM, "EPERM"},
    {ENOENT, "ENOENT"},
    {ESRCH, "ESRCH"},
    {EINTR, "EINTR"},
    {EIO, "EIO"},
    {ENXIO, "ENXIO"},
    {E2BIG, "E2BIG"},
    {ENOEXEC, "ENOEXEC"},
    {EBADF, "EBADF"},
    {ECHILD, "ECHILD"},
    {EAGAIN, "EAGAIN"},
    {ENOMEM, "ENOMEM"},
    {EACCES, "EACCES"},
    {EFAULT, "EFAULT"},
    {EBUSY, "EBUSY"},
    {EEXIST, "EEXIST"},
    {EXDEV, "EXDEV"},
    {ENODEV, "ENODEV"},
    {ENOTDIR, "ENOTDIR"},
    {EISDIR, "EISDIR"},
    {EINVAL, "EINVAL"},
    {ENFILE, "ENFILE"},
    {EMFILE, "EMFILE"},
    {ENOTTY, "ENOTTY"},
    {ETXTBSY, "ETXTBSY"},
    {EFBIG, "EFBIG"},
    {ENOSPC, "ENOSPC"},
    {EROFS, "EROFS"},
    {EPIPE, "EPIPE"},
    {ELOOP, "ELOOP"},
    {ENAMETOOLONG, "ENAMETOOLONG"},
    {ENOSYS, "ENOSYS"},
    {ENOTSUP, "ENOTSUP"},
    {EOVERFLOW, "EOVERFLOW"},
    {ETIMEDOUT, "ETIMEDOUT"},
    {ECONNRESET, "ECONNRESET"},
};

std::string_view known_name(int sys_errno) {
  for (const ErrnoName& known : kErrnoNames) {
    if (known.number == sys_errno) return known.name;
  }
  return "";
}

}  // namespace

Error Error::within(std::string_view context) const {
  return Error{kind, sys_errno, concat(context, ": ", message)};
}

Error system_error(int sys_errno, std::string_view what) {
  return Error{ErrorKind::system, sys_errno, concat(what, ": ", errno_text(sys_errno))};
}

Error invalid_error(std::string message) {
  return Error{ErrorKind::invalid, 0, std::move(message)};
}

Error unsupported_error(std::string message) {
  return Error{ErrorKind::unsupported, 0, std::move(message)};
}

bool is_shortage(int sys_errno) { return !shortage_remedy(sys_errno).empty(); }

std::string_view shortage_remedy(int sys_errno) {
  switch (sys_errno) {
    case EMFILE:
      return "this process has reached its limit of open files: raise it (ulimit -n 1024) and try "
             "again";
    case ENFILE:
      return "the machine has reached its limit of open files: raise it (sysctl fs.file-max) and "
             "try again";
    case ENOMEM:
      return "the kernel is out of memory: try again when more is free";
    default:
      return "";
  }
}

std::string errno_text(int sys_errno) {
  const std::string_view name = known_name(sys_errno);
  if (name.empty()) return errno_name(sys_errno);
  // Known numbers have constant texts in every C library; only unknown ones use a shared buffer.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  return concat(std::strerror(sys_errno), " (", name, ")");
}

std::string errno_name(int sys_errno) {
  const std::string_view name = known_name(sys_errno);
  return name.empty() ? concat("error ", sys_errno) : std::string(name);
}

}  // namespace bawn
