// Opening files safely: an owning descriptor, an open that follows no symbolic link, and checks on
// the open file.
//
// A path is checked after it is opened, on the descriptor. A check before the open would be a race:
// the path could be replaced in between.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#include "backend/linux/init/kernel.h"
#include "backend/linux/wire/messages.h"

namespace bawn::init {

// An owned file descriptor, or the negative errno of the call that should have opened it. Closes
// the file when destroyed, because init opens many files one after the other under the caller's
// RLIMIT_NOFILE.
class Opened {
 public:
  explicit Opened(long fd) : fd_(static_cast<int>(fd)) {}
  ~Opened() {
    if (fd_ >= 0) kernel(__NR_close, fd_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool failed() const { return fd_ < 0; }
  [[nodiscard]] long error() const { return fd_; }
  // Gives up ownership: the caller closes the file.
  [[nodiscard]] int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

// Opens `path` below `directory` with openat2 and O_CLOEXEC. Any symbolic link on the way, also the
// last component, is ELOOP. `resolve` can restrict the lookup further (RESOLVE_BENEATH). Returns an
// owned file or a negative errno.
inline long open_without_links(int directory, const char* path, std::uint64_t flags,
                               std::uint64_t resolve) {
  const struct open_how how = {.flags = flags | O_CLOEXEC,
                               .mode = 0,
                               .resolve = resolve | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS};
  return kernel(__NR_openat2, directory, path, &how, sizeof how);
}

constexpr unsigned kLooks =
    STATX_TYPE | STATX_MODE | STATX_INO | STATX_SIZE | STATX_UID | STATX_GID;

// statx of an open file. 0 or a negative errno.
inline long look_at(int fd, struct statx& found) {
  return kernel(__NR_statx, fd, "", AT_EMPTY_PATH, kLooks, &found);
}

// The device of the file system that holds the file, in the form of FileIdentity::device.
inline std::uint64_t device_of(const struct statx& found) {
  return (std::uint64_t{found.stx_dev_major} << 32) | found.stx_dev_minor;
}

// The number of a device node (rdev), not of the file system that holds the node.
inline std::uint64_t number_of(const struct statx& found) {
  return (std::uint64_t{found.stx_rdev_major} << 32) | found.stx_rdev_minor;
}

constexpr std::uint32_t kFormatMask = 0170000;
constexpr std::uint32_t kDeviceFormat = 0020000;  // S_IFCHR
constexpr std::uint32_t kDirectoryFormat = 0040000;
constexpr std::uint32_t kFileFormat = 0100000;
constexpr std::uint32_t kLinkFormat = 0120000;

inline bool is_directory(const struct statx& found) {
  return (found.stx_mode & kFormatMask) == kDirectoryFormat;
}

// An inode of 0 accepts any file.
inline bool is(const struct statx& found, const FileIdentity& identity) {
  return identity.inode == 0 ||
         (found.stx_ino == identity.inode && device_of(found) == identity.device);
}

}  // namespace bawn::init
