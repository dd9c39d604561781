// Encodes one MountOp as init's messages have it.
//
// Used at run time (encode_message.cc) and by the compiler (encode_base_mounts.h). One function
// serves both, so the two encodings cannot differ. Pure.
#pragma once

#include <string_view>

#include "backend/linux/wire/messages.h"
#include "plan/mount_op.h"
#include "validate/scope.h"

namespace bawn::linux_ {

// The fields of a MountOp that init needs. The strings are borrowed.
struct MountOpFields {
  MountOpKind kind;
  bool writable;
  bool device;
  std::string_view destination;
  std::string_view source;  // path of a bind, content of a file, target of a link
  init::FileIdentity identity{};
};

[[nodiscard]] constexpr init::MountOpKind init_kind(MountOpKind kind) {
  switch (kind) {
    case MountOpKind::bind:
      return init::MountOpKind::bind;
    case MountOpKind::mirror:
      return init::MountOpKind::mirror;
    case MountOpKind::directory:
      return init::MountOpKind::directory;
    case MountOpKind::scratch:
      return init::MountOpKind::scratch;
    case MountOpKind::link:
      return init::MountOpKind::link;
    case MountOpKind::file:
      return init::MountOpKind::file;
    case MountOpKind::proc:
      return init::MountOpKind::proc;
    case MountOpKind::terminals:
      return init::MountOpKind::terminals;
    case MountOpKind::hidden:
      return init::MountOpKind::hidden;
  }
  return init::MountOpKind::hidden;
}

// `writer.add(string)` must append the string with a terminating NUL and return its offset.
template <class Writer>
[[nodiscard]] constexpr init::MountOp encode_mount_op(const MountOpFields& op, Writer& writer) {
  const bool in_proc = path_is_within(op.destination, "/proc");
  return {.kind = init_kind(op.kind),
          .flags = (op.writable ? std::uint32_t{init::mount_writable} : 0U) |
                   (op.device ? std::uint32_t{init::mount_device} : 0U) |
                   (in_proc ? std::uint32_t{init::mount_in_proc} : 0U),
          .destination = writer.add(op.destination),
          .source = writer.add(op.source),
          .source_size = static_cast<std::uint32_t>(op.source.size()),
          .reserved = 0,
          .identity = op.identity};
}

}  // namespace bawn::linux_
