// A file descriptor with one owner. `Fd` is owned, `int fd` is borrowed.
//
// -1 means none; 0 is a descriptor like any other. Closing is never retried: Linux has released the
// number even when close() reports EINTR, and a second close() could hit a descriptor that another
// thread just got.
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
    // Through a temporary, so that assigning an Fd to itself keeps it open.
    Fd taken(std::move(other));
    std::swap(fd_, taken.fd_);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ != -1; }

  // The caller owns the descriptor from here on.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }

  // Closes it now, if there is one.
  void reset() {
    if (fd_ != -1) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace bawn
