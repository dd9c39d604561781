// The directory that is made for one run and goes with it: home, temporary files, and a workspace
// if it has no other.
//
// Removed by file, never by name: a link that the command left is a link to remove, not a way to
// follow. A tree of any depth takes a few open directories and no recursion.
#pragma once

#include <string>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

struct PrivateParts {
  bool home = false;
  bool tmp = false;
  bool work = false;
};

class PrivateDirectory {
 public:
  // Makes `name` in `parent`, for this user only, with the wanted parts; an error if it exists
  // already.
  [[nodiscard]] static Result<PrivateDirectory> make(const std::string& parent,
                                                     const std::string& name,
                                                     const PrivateParts& parts);
  PrivateDirectory() = default;  // none
  PrivateDirectory(PrivateDirectory&&) noexcept = default;
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;
  ~PrivateDirectory() { (void)remove(); }

  // Whether nothing of it is left. Once nothing of the run is alive; a second call does nothing.
  [[nodiscard]] bool remove();

 private:
  PrivateDirectory(Fd parent, Fd self, std::string name)
      : parent_(std::move(parent)), self_(std::move(self)), name_(std::move(name)) {}

  Fd parent_;
  Fd self_;
  std::string name_;
};

}  // namespace bawn::posix
