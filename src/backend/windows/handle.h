// A kernel handle with one owner, closed by the destructor. `Handle` is owned, `HANDLE handle` is
// borrowed.
//
// For handles that CloseHandle() closes; not for search handles or registry keys.
#pragma once

#include <windows.h>

#include <utility>

namespace bawn::windows {

class [[nodiscard]] Handle {
 public:
  Handle() = default;
  // Takes ownership. System calls report failure as null or as INVALID_HANDLE_VALUE; both become
  // empty here.
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept {
    Handle taken(std::move(other));
    std::swap(handle_, taken.handle_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  // Borrowed; null if empty.
  [[nodiscard]] HANDLE get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  // Gives up ownership without closing.
  [[nodiscard]] HANDLE release() { return std::exchange(handle_, nullptr); }
  void reset() {
    if (handle_ != nullptr) CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_ = nullptr;
};

}  // namespace bawn::windows
