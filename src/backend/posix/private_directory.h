// The private directory of one run: home, temporary files, and a workspace if it has no other. It
// is removed after the run.
//
// Removal uses directory descriptors and never follows links that the command left. It needs only a
// few open directories and no recursion, however deep the tree is. If bawn is killed, the directory
// stays.
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
  // Makes `name` in `parent` with mode 0700 and the wanted parts. An error if it exists already;
  // after an error nothing is left behind.
  [[nodiscard]] static Result<PrivateDirectory> make(const std::string& parent,
                                                     const std::string& name,
                                                     const PrivateParts& parts);
  PrivateDirectory() = default;  // no directory
  PrivateDirectory(PrivateDirectory&&) noexcept = default;
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;
  ~PrivateDirectory() { (void)remove(); }

  // Removes the tree; returns whether nothing is left. Call when no process of the run is alive. A
  // second call after success does nothing.
  [[nodiscard]] bool remove();

 private:
  PrivateDirectory(Fd parent, Fd self, std::string name)
      : parent_(std::move(parent)), self_(std::move(self)), name_(std::move(name)) {}

  Fd parent_;
  Fd self_;
  std::string name_;
};

}  // namespace bawn::posix
