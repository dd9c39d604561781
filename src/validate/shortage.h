// Remembers that the host ran short of open files or memory while files were looked up.
//
// A look-up that fails with, say, EMFILE says nothing about the file. Its result still has the
// shape of "missing" or "cannot be read", and the validator would report a violation or, worse,
// allow something. So each look-up notes the errno of every call that fails, and the whole decision
// is discarded after a shortage (PathLookup::shortage). Not thread-safe.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"

namespace bawn {

class Shortage {
 public:
  // `sys_errno` is the errno of a failed call, `what` names the call. Keeps the first shortage;
  // ignores later ones and every other errno.
  void note(int sys_errno, std::string_view what) {
    if (!first_ && is_shortage(sys_errno)) first_ = system_error(sys_errno, what);
  }
  // Empty if there was no shortage.
  [[nodiscard]] const std::optional<Error>& first() const { return first_; }

 private:
  std::optional<Error> first_;
};

}  // namespace bawn
