// A fuzzer's input as a message for a decoder: writable, aligned, and in memory of exactly its
// size, so that a sanitizer sees a read behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "backend/linux/wire/decode.h"

namespace bawn {

class MessageCopy {
 public:
  MessageCopy(const std::uint8_t* data, std::size_t size)
      : size_(size), bytes_(std::make_unique<char[]>(size)) {
    if (size != 0) std::memcpy(bytes_.get(), data, size);
  }

  // Most changes of an input spoil the size that its head names. With the right one the decoder
  // goes on to the rest.
  void correct_head(std::uint32_t magic) {
    if (size_ < sizeof(init::Head)) return;
    init::Head head;
    std::memcpy(&head, bytes_.get(), sizeof head);
    head.magic = magic;
    head.size = static_cast<std::uint32_t>(size_);
    std::memcpy(bytes_.get(), &head, sizeof head);
  }

  [[nodiscard]] char* bytes() { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

}  // namespace bawn
