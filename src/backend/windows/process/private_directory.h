// The private directory of one run, accessible to the user only, and removed afterwards.
//
// Windows has no init: if bawn itself is killed, the directory stays. The receipt says so.
#pragma once

#include <string>

#include "backend/windows/process/token.h"
#include "base/result.h"

namespace bawn::windows {

class PrivateDirectory {
 public:
  // Makes `path` (portable) with "work" and "tmp" in it. With Integrity::low, the label lets the
  // run write there. After an error nothing is left behind.
  [[nodiscard]] static Result<PrivateDirectory> create(const std::string& path,
                                                       Integrity integrity);
  PrivateDirectory(PrivateDirectory&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  PrivateDirectory& operator=(PrivateDirectory&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~PrivateDirectory();

  // Removes the tree. False if something could not be removed; a second call does nothing.
  [[nodiscard]] bool remove();

 private:
  explicit PrivateDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;  // "" after remove()
};

}  // namespace bawn::windows
