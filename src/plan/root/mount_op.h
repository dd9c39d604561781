// A MountOp as the plan has it: the fields of mount_op_of.h, and where the operation comes from.
//
// A plain value; it owns its strings. `source` may hold an open file. Init opens its path again and
// compares device and inode; as long as the file is open, no other file can get its inode.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "plan/root/mount_op_of.h"
#include "validate/lookup.h"

namespace bawn {

struct MountOp : MountOpOf<std::string, Located> {
  // The policy key or the reason, for `bawn explain`: "system", "workspace", "filesystem.read".
  std::string origin{};
  // Of a bind with a tree, if the run's mounts are idmapped: to the command its files are the
  // command's own.
  FileOwner owner{};
};

// For the kinds that need no more than a path: mirror, directory, proc, terminals, hidden.
[[nodiscard]] inline MountOp path_op(MountOpKind kind, std::string_view path,
                                     std::string_view origin) {
  return {{.kind = kind, .destination = std::string(path)}, std::string(origin)};
}

// `source` is bound at `path`, which can be another path than its own.
[[nodiscard]] inline MountOp bind_op(std::string_view path, Located source, bool writable,
                                     std::string_view origin) {
  const FileOwner owner = source.owner;
  return {{.kind = MountOpKind::bind,
           .writable = writable,
           .destination = std::string(path),
           .source = std::move(source)},
          std::string(origin),
          owner};
}

// The file or directory may be executed where it is already shown.
[[nodiscard]] inline MountOp program_op(std::string_view path, Located source,
                                        std::string_view origin) {
  return {
      {.kind = MountOpKind::program, .destination = std::string(path), .source = std::move(source)},
      std::string(origin)};
}

[[nodiscard]] inline MountOp scratch_op(std::string_view path, std::string_view origin) {
  return {{.kind = MountOpKind::scratch, .writable = true, .destination = std::string(path)},
          std::string(origin)};
}

[[nodiscard]] inline MountOp link_op(std::string_view path, std::string_view target,
                                     std::string_view origin) {
  return {
      {.kind = MountOpKind::link, .destination = std::string(path), .content = std::string(target)},
      std::string(origin)};
}

[[nodiscard]] inline MountOp file_op(std::string_view path, std::string content) {
  return {
      {.kind = MountOpKind::file, .destination = std::string(path), .content = std::move(content)},
      "system"};
}

}  // namespace bawn
