// The part of a SetupMessage that is the same in every run: the base mounts (plan/base_mounts.h)
// with their strings.
//
// The bytes equal those that encode_setup() puts behind the header, but the compiler computes them.
// They need no relocation, so that code before the C library can send them (early_setup.cc).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "linux/encode_mount_op.h"
#include "linux/init/messages.h"
#include "plan/base_mounts.h"

namespace bawn {

// was_sent() compares the header byte by byte, so it must have no padding.
static_assert(std::has_unique_object_representations_v<init::SetupMessage>);

// Writes the bytes that fit into `room` and counts all of them. `room` is borrowed; with size 0 the
// writer only counts.
class BaseMountWriter {
 public:
  constexpr BaseMountWriter(char* room, std::size_t size) : room_(room), size_(size) {}

  // Both return the offset from the start of the message, which is a multiple of 8.
  constexpr std::uint32_t add(const char* bytes, std::size_t size) {
    at_ = (at_ + 7) / 8 * 8;
    const std::size_t begin = at_;
    for (std::size_t i = 0; i < size; ++i) put(bytes[i]);
    return static_cast<std::uint32_t>(sizeof(init::SetupMessage) + begin);
  }
  constexpr std::uint32_t add(std::string_view string) {
    const std::uint32_t begin = add(string.data(), string.size());
    put('\0');
    return begin;
  }

  [[nodiscard]] constexpr std::size_t size() const { return at_; }

 private:
  constexpr void put(char byte) {
    if (at_ < size_) room_[at_] = byte;
    ++at_;
  }

  char* room_;
  std::size_t size_;
  std::size_t at_ = 0;
};

// Writes the base mounts of this choice: first the strings, then the array of MountOps.
constexpr init::MountOpList encode_base_mounts(BaseMountChoice choice, BaseMountWriter& writer) {
  std::array<char, kBaseMounts.size() * sizeof(init::MountOp)> bytes{};
  std::uint32_t count = 0;
  for (const BaseMount& base : kBaseMounts) {
    if (!choice.takes(base)) continue;
    const init::MountOp op = encode_mount_op({.kind = base.kind,
                                              .writable = base.writable(),
                                              .device = base.device(),
                                              .destination = base.destination,
                                              .source = base.content},
                                             writer);
    const auto op_bytes = std::bit_cast<std::array<char, sizeof op>>(op);
    for (std::size_t i = 0; i < op_bytes.size(); ++i)
      bytes[count * op_bytes.size() + i] = op_bytes[i];
    ++count;
  }
  return {.mounts = writer.add(bytes.data(), count * sizeof(init::MountOp)), .count = count};
}

constexpr std::size_t encoded_base_mounts_size(BaseMountChoice choice) {
  BaseMountWriter counter(nullptr, 0);
  encode_base_mounts(choice, counter);
  return counter.size();
}

// With a private /tmp and the caller's ids, as in 'bawn run' without options.
template <bool kHostRoot>
struct EncodedBaseMounts {
  static constexpr BaseMountChoice kChoice{
      .private_tmp = true, .host_root = kHostRoot, .inner_root = kHostRoot};
  std::array<char, encoded_base_mounts_size(kChoice)> bytes{};
  init::MountOpList list{};

  consteval EncodedBaseMounts() {
    BaseMountWriter writer(bytes.data(), bytes.size());
    list = encode_base_mounts(kChoice, writer);
  }
};

}  // namespace bawn
