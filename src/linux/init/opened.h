// Files that init opens: closed when dropped, never reached through a symbolic link, and looked at
// once they are open.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#include "linux/init/kernel.h"
#include "linux/init/messages.h"

namespace bawn::init {

// A file, or the negative errno for which there is none. Init opens many one after the other and
// must not run out of them.
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
  // To whoever closes it.
  [[nodiscard]] int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

inline long open_without_links(int directory, const char* path, std::uint64_t flags,
                               std::uint64_t resolve) {
  const struct open_how how = {.flags = flags | O_CLOEXEC,
                               .mode = 0,
                               .resolve = resolve | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS};
  return kernel(__NR_openat2, directory, path, &how, sizeof how);
}

constexpr unsigned kLooks = STATX_TYPE | STATX_MODE | STATX_INO | STATX_SIZE;

inline long look_at(int fd, struct statx& found) {
  return kernel(__NR_statx, fd, "", AT_EMPTY_PATH, kLooks, &found);
}

inline std::uint64_t device_of(const struct statx& found) {
  return (std::uint64_t{found.stx_dev_major} << 32) | found.stx_dev_minor;
}

// Of a device itself, not of the file system that its name is in.
inline std::uint64_t number_of(const struct statx& found) {
  return (std::uint64_t{found.stx_rdev_major} << 32) | found.stx_rdev_minor;
}

constexpr std::uint32_t kFormatMask = 0170000;
constexpr std::uint32_t kDeviceFormat = 0020000;  // one that is read and written by characters
constexpr std::uint32_t kDirectoryFormat = 0040000;
constexpr std::uint32_t kFileFormat = 0100000;
constexpr std::uint32_t kLinkFormat = 0120000;

inline bool is_directory(const struct statx& found) {
  return (found.stx_mode & kFormatMask) == kDirectoryFormat;
}

// An identity of zero is that of any file.
inline bool is(const struct statx& found, const FileIdentity& identity) {
  return identity.inode == 0 ||
         (found.stx_ino == identity.inode && device_of(found) == identity.device);
}

}  // namespace bawn::init
