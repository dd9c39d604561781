// PathLookup on Windows. Paths are portable (backend/windows/syntax/path.h), in queries and
// results.
//
// Each lookup opens the file. Windows follows links, ignores case and accepts 8.3 names; the result
// is the final path that the system reports for the open file, so all spellings of a file give one
// path. If a name without an extension is missing, ".exe" is tried, as CreateProcessW does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/windows/handle.h"
#include "base/result.h"
#include "validate/lookup.h"

namespace bawn::windows {

class OpenHandle final : public OpenFile {
 public:
  explicit OpenHandle(Handle handle) : handle_(std::move(handle)) {}
  // Open for attributes only, not for reading or writing. Borrowed.
  [[nodiscard]] HANDLE get() const { return handle_.get(); }

 private:
  Handle handle_;
};

// The open handle of a file that was located here and exists. Borrowed.
[[nodiscard]] HANDLE handle_of(const Located& located);

// Use one object for one decision; see FileSystemLookup in backend/linux/lookup/path_lookup.h.
class WindowsLookup final : public PathLookup {
 public:
  // Rooted paths ("/Users") are on the drive of `directory`, which is portable.
  explicit WindowsLookup(std::string_view directory);

  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::span<const std::string_view> trusted_path() const override { return trusted_; }
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;

 private:
  [[nodiscard]] Located look_up(std::string_view path) const;

  std::string drive_;                         // "/c"
  std::vector<std::string> trusted_spelled_;  // storage of trusted_
  std::vector<std::string_view> trusted_;
  mutable std::map<std::string, Located, std::less<>> found_;
};

// A portable path as the system takes it, with the prefix `\\?\`, so that Windows uses its names
// unchanged. A name that it would change otherwise is an error.
[[nodiscard]] Result<std::wstring> exact_name(std::string_view portable);

// The current directory, portable.
[[nodiscard]] std::string current_directory();

}  // namespace bawn::windows
