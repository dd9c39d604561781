// A piece of the file system that a run in tier c sees.
#pragma once

#include <string>

#include "validate/lookup.h"

namespace bawn {

enum class RootPartKind {
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

struct RootPart {
  RootPartKind kind = RootPartKind::directory;
  std::string destination;
  std::string origin;  // "system", "workspace", "filesystem.read", "workspace.protect"
  bool writable = false;
  bool device = false;
  std::string text{};  // of a file; target of a link
  Located source{};    // of a bind
};

[[nodiscard]] inline RootPart scratch_part(std::string_view path, std::string_view origin) {
  return {.kind = RootPartKind::scratch,
          .destination = std::string(path),
          .origin = std::string(origin),
          .writable = true};
}

[[nodiscard]] inline RootPart link_part(std::string_view path, std::string_view target,
                                        std::string_view origin) {
  return {.kind = RootPartKind::link,
          .destination = std::string(path),
          .origin = std::string(origin),
          .text = std::string(target)};
}

[[nodiscard]] inline RootPart file_part(std::string_view path, std::string text) {
  return {.kind = RootPartKind::file,
          .destination = std::string(path),
          .origin = "system",
          .text = std::move(text)};
}

}  // namespace bawn
