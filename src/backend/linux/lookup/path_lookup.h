// Looks up paths on the real file system of a Linux host. Each look-up opens the file it finds, and
// every later step uses that open file.
//
// openat2 handles the common case, a path without symbolic links, in one call. Otherwise links are
// followed one component at a time, so that the result is the file that the kernel would reach.
// Magic links (/proc/PID/fd, root, cwd, exe) can lead anywhere and are never followed.
#pragma once

#include <map>
#include <string>

#include "sys/fd.h"
#include "validate/lookup.h"
#include "validate/shortage.h"

namespace bawn::linux_ {

// Keeps the file that was found open, as an O_PATH descriptor.
class OpenPath final : public OpenFile {
 public:
  explicit OpenPath(Fd fd) : fd_(std::move(fd)) {}
  [[nodiscard]] int fd() const { return fd_.get(); }  // O_PATH

 private:
  Fd fd_;
};

// The O_PATH descriptor of a file that FileSystemLookup found and that exists. Borrowed from
// `located`, whose `file` must not be null.
[[nodiscard]] int fd_of(const Located& located);

// Make one for each decision. It remembers its first 128 results, so that the same path means the
// same file throughout; each result holds a descriptor open. If the host is short of something
// (descriptors, memory), shortage() says so, and the decision must fail. One thread at a time.
class FileSystemLookup final : public PathLookup {
 public:
  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::string link_text(std::string_view path) const override;
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;
  [[nodiscard]] std::vector<std::string> names_in(const Located& directory,
                                                  std::size_t most) const override;
  [[nodiscard]] std::optional<Error> shortage() const override { return shortage_.first(); }

 private:
  [[nodiscard]] Located look_up(std::string_view path) const;

  mutable std::map<std::string, Located, std::less<>> found_;
  mutable Shortage shortage_;
};

}  // namespace bawn::linux_
