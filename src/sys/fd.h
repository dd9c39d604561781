// A file descriptor with one owner. In this code base `Fd` is owned and `int fd` is borrowed.
//
// -1 means none; 0 is a descriptor like any other. close() is never retried: Linux frees the number
// even if close() reports EINTR, so a second close() could hit a descriptor that another thread has
// just opened. Errors of close() are ignored.
#pragma once

#include <unistd.h>

#include <utility>

namespace bawn {

class [[nodiscard]] Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}  // takes ownership
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    // Through a temporary, so that self-assignment keeps the descriptor open.
    Fd taken(std::move(other));
    std::swap(fd_, taken.fd_);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ != -1; }

  // Gives up ownership: the caller must close the descriptor.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }

  // Closes the descriptor now, if there is one. get() is -1 afterwards.
  void reset() {
    if (fd_ != -1) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace bawn
