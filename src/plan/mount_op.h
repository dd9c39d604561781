// One operation that builds the root of a run in tier c.
#pragma once

#include <string>

#include "validate/lookup.h"

namespace bawn {

enum class MountOpKind {
  bind,       // something of the host that was located
  mirror,     // a path of the system, as it is on the host, if it is there
  directory,  // an empty one, read-only
  scratch,    // an empty one, writable
  link,
  file,
  proc,
  terminals,
  hidden,  // nothing to see where something is
};

struct MountOp {
  MountOpKind kind = MountOpKind::directory;
  std::string destination;
  std::string origin;  // "system", "workspace", "filesystem.read", "workspace.protect"
  bool writable = false;
  bool device = false;
  std::string content{};  // of a file; target of a link
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
