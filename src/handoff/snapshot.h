// What bawn has seen of the files that other programs obey, at one time. Plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "handoff/name.h"

namespace bawn::handoff {

// What the kernel says of a file without opening it. A file whose content changes gets another
// `changed_ns`, which no program can set.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint32_t mode = 0;
  std::int64_t changed_ns = 0;  // st_ctime

  bool operator==(const FileState&) const = default;
};

struct FileContent {
  enum class Kind {
    text,     // of a regular file
    link,     // `text` is the target
    unknown,  // too large to keep, not readable, or no file that has a content
  };
  Kind kind = Kind::unknown;
  std::string text{};
  std::string link{};  // the target, if the file was found by way of a link

  bool operator==(const FileContent&) const = default;
};

struct SeenFile {
  std::string path;  // as it is told
  const HandoffName* row = nullptr;
  FileState state{};   // of the name itself
  FileState target{};  // of the file that it leads to, if it is a link that stays below the root
  // The file changed so shortly before that a later change need not show in `state`.
  bool is_recent = false;
  FileContent content{};
};

// Something that was not looked at, and the reason.
struct Unseen {
  std::string path;
  std::string why;
};

struct Snapshot {
  std::vector<SeenFile> files;  // sorted by path
  std::vector<Unseen> unseen;
  bool is_full = false;       // there were more files than are kept
  std::int64_t taken_ns = 0;  // the time of the file systems when it was begun
};

// When the content or a link on the way to it changed last.
[[nodiscard]] inline std::int64_t changed_ns(const SeenFile& file) {
  return std::max(file.state.changed_ns, file.target.changed_ns);
}

// Null if it is not there. `snapshot` is sorted.
[[nodiscard]] const SeenFile* find_file(const Snapshot& snapshot, std::string_view path);

}  // namespace bawn::handoff
