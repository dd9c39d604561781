// A directory that is made for one run, for the user alone, and removed after it.
//
// There is no init on Windows: if bawn itself is killed, the directory stays. The receipt says so.
#pragma once

#include <string>

#include "base/result.h"
#include "windows/token.h"

namespace bawn::windows {

class PrivateDirectory {
 public:
  // Makes `path` (portable) with "work" and "tmp" in it. At low integrity the run itself must be
  // able to write there.
  [[nodiscard]] static Result<PrivateDirectory> create(const std::string& path,
                                                       Integrity integrity);
  PrivateDirectory(PrivateDirectory&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  PrivateDirectory& operator=(PrivateDirectory&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~PrivateDirectory();

  // Afterwards nothing of it is there; false if something could not be removed.
  [[nodiscard]] bool remove();

 private:
  explicit PrivateDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;  // "" once it is gone
};

}  // namespace bawn::windows
