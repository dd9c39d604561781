// One operation that builds the root of a tier c run. The Plan holds a list of them; init carries
// them out in order.
//
// A plain value; it owns its strings. `source` may hold an open file, so a bind uses the file that
// was checked and not what its path means later.
#pragma once

#include <string>

#include "validate/lookup.h"

namespace bawn {

enum class MountOpKind {
  bind,  // bind mount of a located host file or directory
  // The same path as on the host: a link as a link, anything else bound; skipped if missing.
  mirror,
  directory,  // empty, read-only
  scratch,    // empty, writable
  link,
  file,
  proc,
  terminals,
  hidden,  // covers an existing path, so that nothing can be seen there
};

// Members that a kind does not use stay at their defaults.
struct MountOp {
  MountOpKind kind = MountOpKind::directory;
  // Guest path, absolute.
  std::string destination;
  std::string origin;  // "system", "workspace", "filesystem.read", "workspace.protect"
  bool writable = false;
  bool device = false;
  std::string content{};  // content of a file, or target of a link
  Located source{};       // of a bind
};

[[nodiscard]] inline MountOp scratch_op(std::string_view path, std::string_view origin) {
  return {.kind = MountOpKind::scratch,
          .destination = std::string(path),
          .origin = std::string(origin),
          .writable = true};
}

[[nodiscard]] inline MountOp link_op(std::string_view path, std::string_view target,
                                     std::string_view origin) {
  return {.kind = MountOpKind::link,
          .destination = std::string(path),
          .origin = std::string(origin),
          .content = std::string(target)};
}

[[nodiscard]] inline MountOp file_op(std::string_view path, std::string content) {
  return {.kind = MountOpKind::file,
          .destination = std::string(path),
          .origin = "system",
          .content = std::move(content)};
}

}  // namespace bawn
