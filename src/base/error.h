// What went wrong, in words a person can act on.
//
// An Error is made where the cause is known and gains context on its way up, outermost first:
//   apply limits: setrlimit(RLIMIT_CPU): Operation not permitted (EPERM)
// The kind exists only because callers branch on it. Nothing here logs.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

enum class ErrorKind {
  invalid,      // the caller gave something that cannot be right
  unsupported,  // this host cannot do what was asked
  system,       // the kernel or a library refused
  cancelled,    // the caller wants it no longer
};

struct Error {
  ErrorKind kind = ErrorKind::system;
  int sys_errno = 0;  // 0 where no system call was involved
  std::string message;

  // The same error, with what was being done put in front of it.
  [[nodiscard]] Error within(std::string_view context) const;
};

// "open '/x': No such file or directory (ENOENT)". Pass errno itself, in the statement after the
// call.
[[nodiscard]] Error system_error(int sys_errno, std::string_view what);
[[nodiscard]] Error invalid_error(std::string message);
[[nodiscard]] Error unsupported_error(std::string message);

// Too few open files or too little memory: the same call would work a moment later, or with a
// higher limit. It says nothing about the object of the call.
[[nodiscard]] bool is_shortage(int sys_errno);
// What helps then; "" for every other number.
[[nodiscard]] std::string_view shortage_remedy(int sys_errno);

// "No such file or directory (ENOENT)", without locale and without a shared buffer.
[[nodiscard]] std::string errno_text(int sys_errno);

}  // namespace bawn
