// PathLookup: the only way in which the validator sees the file system.
//
// A look-up follows every symbolic link. It returns the canonical path together with the open file,
// so that later steps use that file and never resolve the name again: a name can be changed between
// check and use, an open file cannot.
//
// Implementations: backend/linux/lookup/path_lookup.h (openat2), backend/posix/path_lookup.h,
// backend/windows/path_lookup.h, validate/guest_paths.h, and a fake tree in the tests. An object
// serves one decision in one thread: the methods are const, but implementations cache results and
// record shortages without locks.
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
#include "base/file_owner.h"

namespace bawn {

// Keeps a located file open until the last Located that shares it is destroyed. Each system derives
// a class; the validator never looks inside.
class OpenFile {
 public:
  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  virtual ~OpenFile() = default;
};

enum class FileKind { missing, regular, directory, other };

// Who can have made a symbolic link, judged by its owner and by the directories above it.
enum class LinkMaker {
  administrator,  // the caller can write to none of these directories
  caller,         // the caller, or an earlier run under the same uid
  stranger,       // its owner is neither root nor the caller
};

// A symbolic link that a look-up followed.
struct PassedLink {
  std::string path;  // host path of the link itself; its directory is canonical
  LinkMaker maker = LinkMaker::administrator;

  friend bool operator==(const PassedLink&, const PassedLink&) = default;
};

// The result of a look-up. Copies share the open file.
struct Located {
  // Absolute, without links, "." and "..". For a missing file: the path at which it would be
  // created; for a dangling link that is the link's target.
  std::string path;
  FileKind kind = FileKind::missing;
  bool executable = false;     // the caller may execute it
  bool set_id = false;         // setuid or setgid, or file capabilities
  bool owned_by_root = false;  // a regular file of root, while the caller is not root: no run of
                               // this caller can have made it
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t link_count = 1;          // hard links, of a regular file
  FileOwner owner{};                     // Linux
  std::shared_ptr<const OpenFile> file;  // owned, shared; null if missing
  // Why nothing is known about the file: permission denied, a loop of links, a magic link of /proc.
  // Empty for a file that is plainly missing.
  std::string error;
  // The host path, if it differs from the guest path in `path`; otherwise "".
  std::string separate_host_path{};
  // Every symbolic link that was followed, in order.
  std::vector<PassedLink> links{};
};

// The path of the file on the host. The reference points into `located`.
[[nodiscard]] inline const std::string& host_path(const Located& located) {
  return located.separate_host_path.empty() ? located.path : located.separate_host_path;
}

// The trusted path of Unix systems.
inline constexpr std::array<std::string_view, 6> kUnixPath{"/usr/local/bin",  "/usr/bin",  "/bin",
                                                           "/usr/local/sbin", "/usr/sbin", "/sbin"};

class PathLookup {
 public:
  PathLookup() = default;
  PathLookup(const PathLookup&) = delete;
  PathLookup& operator=(const PathLookup&) = delete;
  virtual ~PathLookup() = default;

  // `path` must be absolute. Never fails: `kind` and `error` say what could not be found out, and
  // shortage() says whether they can be believed.
  [[nodiscard]] virtual Located locate(std::string_view path) const = 0;

  // The text of the symbolic link at `path`. "" if there is no link, or if it is a magic link of
  // /proc, whose text does not say where it leads. No other link may lie on the way to `path`.
  [[nodiscard]] virtual std::string link_text(std::string_view /*path*/) const { return ""; }

  // The look-up for host paths. A look-up that takes host paths returns itself.
  [[nodiscard]] virtual const PathLookup& host() const { return *this; }

  // The directories in which a bare command name is looked for. Only the administrator of the
  // system can change programs there. Absolute and normal; one of them may be a link to another, as
  // /bin often is.
  [[nodiscard]] virtual std::span<const std::string_view> trusted_path() const { return kUnixPath; }

  // Up to `most` names in a directory, in any order. None if it cannot be read, and none on
  // Windows.
  [[nodiscard]] virtual std::vector<std::string> names_in(const Located& /*directory*/,
                                                          std::size_t /*most*/) const {
    return {};
  }

  // Up to `most` bytes from the start of a regular file; empty optional if it cannot be read.
  [[nodiscard]] virtual std::optional<std::string> head(const Located& file,
                                                        std::size_t most) const = 0;

  // SHA-256 of a regular file in lower-case hex; "" if it cannot be read.
  [[nodiscard]] virtual std::string sha256(const Located& file) const = 0;

  // The first shortage of open files or memory that a look-up met. After a shortage, "missing",
  // "cannot be read" and "not set-id" may each be wrong, so every decision made with this object is
  // void and the run must fail.
  [[nodiscard]] virtual std::optional<Error> shortage() const { return std::nullopt; }
};

}  // namespace bawn
