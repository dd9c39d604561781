// A part of a root as init's texts have it, for whoever lays them out: at run time (encode_message.cc), or the compiler
// (standing_text.h). One function for both, so they cannot differ.
#pragma once

#include <string_view>

#include "linux/init/messages.h"
#include "plan/root_part.h"
#include "validate/scope.h"

namespace bawn {

struct PartWords {
  RootPartKind kind;
  bool writable;
  bool device;
  std::string_view destination;
  std::string_view source;  // path of a bind, text of a file, target of a link
  init::FileIdentity identity{};
};

[[nodiscard]] constexpr init::PartKind init_kind(RootPartKind kind) {
  switch (kind) {
    case RootPartKind::bind:
      return init::PartKind::bind;
    case RootPartKind::mirror:
      return init::PartKind::mirror;
    case RootPartKind::directory:
      return init::PartKind::directory;
    case RootPartKind::scratch:
      return init::PartKind::scratch;
    case RootPartKind::link:
      return init::PartKind::link;
    case RootPartKind::file:
      return init::PartKind::file;
    case RootPartKind::proc:
      return init::PartKind::proc;
    case RootPartKind::terminals:
      return init::PartKind::terminals;
    case RootPartKind::hidden:
      return init::PartKind::hidden;
  }
  return init::PartKind::hidden;
}

// `writer.add(string)` puts a string with its end into the text, and says where.
template <class Writer>
[[nodiscard]] constexpr init::Part put_part(const PartWords& part, Writer& writer) {
  const bool in_proc = path_is_within(part.destination, "/proc");
  return {.kind = init_kind(part.kind),
          .flags = (part.writable ? std::uint32_t{init::part_writable} : 0U) |
                   (part.device ? std::uint32_t{init::part_device} : 0U) |
                   (in_proc ? std::uint32_t{init::part_in_proc} : 0U),
          .destination = writer.add(part.destination),
          .source = writer.add(part.source),
          .source_size = static_cast<std::uint32_t>(part.source.size()),
          .reserved = 0,
          .identity = part.identity};
}

}  // namespace bawn
