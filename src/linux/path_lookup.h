// Looks paths up on a real Linux: each look-up opens what it found, and everything later uses that
// open file.
//
// openat2 answers the common case (no links on the way) in one call; otherwise links are followed
// one component at a time, so that the answer names the file the kernel would reach. Links that are
// not text (/proc/PID/fd, root, cwd, exe) lead anywhere and are never followed.
#pragma once

#include <map>
#include <string>

#include "sys/fd.h"
#include "validate/lookup.h"
#include "validate/shortage.h"

namespace bawn {

class OpenPath final : public OpenFile {
 public:
  explicit OpenPath(Fd fd) : fd_(std::move(fd)) {}
  [[nodiscard]] int fd() const { return fd_.get(); }  // O_PATH

 private:
  Fd fd_;
};

// The descriptor behind something that was located here and exists.
[[nodiscard]] int fd_of(const Located& located);

// One lives as long as one decision: what it has found once, it finds again without looking, and
// means the same file.
class FileSystemLookup final : public PathLookup {
 public:
  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::string link_text(std::string_view path) const override;
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;
  [[nodiscard]] std::optional<Error> shortage() const override { return shortage_.first(); }

 private:
  [[nodiscard]] Located look_up(std::string_view path) const;

  mutable std::map<std::string, Located, std::less<>> found_;
  mutable Shortage shortage_;
};

}  // namespace bawn
