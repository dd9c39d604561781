// The one seam through which the validator sees the file system.
//
// A look-up follows every link and returns what was found together with the open file itself, so
// that whoever uses the path later uses that file and not the name again. On Linux this is openat2;
// tests use a fake tree.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace bawn {

// Keeps a looked-up file open. Each system derives its own; the validator never looks inside.
class OpenFile {
 public:
  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  virtual ~OpenFile() = default;
};

enum class FileKind { missing, regular, directory, other };

// Who can have put a link where it is, as far as its owner and the directories above it tell.
enum class LinkMaker {
  administrator,  // the caller may write to none of these directories
  caller,         // the caller, or an earlier run as the same user
  stranger,       // its owner is neither root nor the caller
};

struct PassedLink {
  std::string path;
  LinkMaker maker = LinkMaker::administrator;

  friend bool operator==(const PassedLink&, const PassedLink&) = default;
};

struct Located {
  // Absolute and free of links, "." and "..". For something missing: where it would be created,
  // which for a dangling link is the link's target.
  std::string path;
  FileKind kind = FileKind::missing;
  bool executable = false;     // the caller may execute it
  bool set_id = false;         // setuid or setgid, or file capabilities
  bool owned_by_root = false;  // a regular file of root's, and the caller is not root: no run of
                               // the caller's made it
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t link_count = 1;          // of a regular file: hard links
  std::shared_ptr<const OpenFile> file;  // null if missing
  // Why nothing is known about it: permission denied, a loop of links, a magic link. Not for plain
  // "missing".
  std::string error;
  // Where the host has it, or would have it, if the run sees it elsewhere; "" if that is `path`,
  // too.
  std::string separate_host_path{};
  // The links that led here, each by its own path on the host, to which no other link leads.
  std::vector<PassedLink> links{};
};

[[nodiscard]] inline const std::string& host_path(const Located& located) {
  return located.separate_host_path.empty() ? located.path : located.separate_host_path;
}

// Where Unix systems have their programs.
inline constexpr std::array<std::string_view, 6> kUnixPath{"/usr/local/bin",  "/usr/bin",  "/bin",
                                                           "/usr/local/sbin", "/usr/sbin", "/sbin"};

class PathLookup {
 public:
  PathLookup() = default;
  PathLookup(const PathLookup&) = delete;
  PathLookup& operator=(const PathLookup&) = delete;
  virtual ~PathLookup() = default;

  // `path` is absolute. Never fails: what cannot be found out is told by `kind` and `error`, and by
  // shortage().
  [[nodiscard]] virtual Located locate(std::string_view path) const = 0;

  // The text of the link that `path` itself is; "" if it is none, or one whose text does not say
  // where it leads. No link may stand on the way to it.
  [[nodiscard]] virtual std::string link_text(std::string_view /*path*/) const { return ""; }

  // The same files by the host's names, for whoever looks at them with those of a run.
  [[nodiscard]] virtual const PathLookup& host() const { return *this; }

  // The directories whose programs only the system's administrator can change: where a bare name is
  // looked for. Canonical.
  [[nodiscard]] virtual std::span<const std::string_view> trusted_path() const { return kUnixPath; }

  // Up to `most` bytes from the start of a regular file; none if it cannot be read.
  [[nodiscard]] virtual std::optional<std::string> head(const Located& file,
                                                        std::size_t most) const = 0;

  // Lower-case hex SHA-256 of a regular file; empty if it cannot be read.
  [[nodiscard]] virtual std::string sha256(const Located& file) const = 0;

  // The first time that the host was short of open files or memory during a look-up. Then
  // "missing", "cannot be read" and "no set-id file" may each be wrong, so nothing that was decided
  // by this object counts: the run fails.
  [[nodiscard]] virtual std::optional<Error> shortage() const { return std::nullopt; }
};

}  // namespace bawn
