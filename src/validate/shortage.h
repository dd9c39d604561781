// Remembers that the host was short of something while files were looked at.
//
// A look-up that fails for want of open files or memory says nothing about the file, but its answer
// has the shape of "missing" or "cannot be read", which the validator would turn into a violation
// or take for permission. So each look-up notes the errno of every call that fails, and the
// decision is thrown away if there was a shortage (PathLookup::shortage).
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"

namespace bawn {

class Shortage {
 public:
  // `sys_errno` of a call that has failed. Anything but a shortage is ignored, and so is a second
  // one.
  void note(int sys_errno, std::string_view what) {
    if (!first_ && is_shortage(sys_errno)) first_ = system_error(sys_errno, what);
  }
  [[nodiscard]] const std::optional<Error>& first() const { return first_; }

 private:
  std::optional<Error> first_;
};

}  // namespace bawn
