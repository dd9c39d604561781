// Looks paths up on a real Windows. Paths are portable (syntax/path.h); the answers too.
//
// Each look-up opens what it found. Windows itself follows links, takes names in any case and knows
// a file by its 8.3 name; the answer is the one final path that the system tells for the open file,
// so all spellings of a file are one path. A name without an extension that is missing is looked
// for with ".exe", as CreateProcessW does it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validate/lookup.h"
#include "windows/handle.h"

namespace bawn::windows {

class OpenHandle final : public OpenFile {
 public:
  explicit OpenHandle(Handle handle) : handle_(std::move(handle)) {}
  [[nodiscard]] HANDLE get() const {
    return handle_.get();
  }  // for asking, neither for reading nor for writing

 private:
  Handle handle_;
};

// The file behind something that was located here and exists.
[[nodiscard]] HANDLE handle_of(const Located& located);

// One lives as long as one decision; see FileSystemLookup in linux/path_lookup.h.
class WindowsLookup final : public PathLookup {
 public:
  // Rooted paths ("/Users") are taken from the drive of `directory`, which is portable.
  explicit WindowsLookup(std::string_view directory);

  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::span<const std::string_view> trusted_path() const override { return trusted_; }
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;

 private:
  [[nodiscard]] Located look_up(std::string_view path) const;

  std::string drive_;                         // "/c"
  std::vector<std::string> trusted_spelled_;  // what trusted_ points into
  std::vector<std::string_view> trusted_;
  mutable std::map<std::string, Located, std::less<>> found_;
};

// The current directory, portable.
[[nodiscard]] std::string current_directory();

}  // namespace bawn::windows
