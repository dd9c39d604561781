// An error with a message that a person can act on.
//
// An Error is made where the cause is known. Each caller adds its context in front, so the
// outermost context comes first and the cause last:
//   apply limits: setrlimit(RLIMIT_CPU): Operation not permitted (EPERM)
// A new ErrorKind is added only if a caller branches on it. Nothing here logs: a function returns
// an error or logs it, never both.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

enum class ErrorKind {
  invalid,      // the caller's input cannot be right
  unsupported,  // this host cannot do what was asked
  system,       // the kernel or a library refused
  cancelled,    // the caller no longer wants the result
};

// A plain value: it owns its message and may be copied between threads.
struct Error {
  ErrorKind kind = ErrorKind::system;
  int sys_errno = 0;  // 0 if no system call was involved
  std::string message;

  // Returns a copy whose message starts with "`context`: ". Kind and errno stay the same.
  [[nodiscard]] Error within(std::string_view context) const;
};

// Makes "open '/x': No such file or directory (ENOENT)" from errno and "open '/x'". Read errno in
// the statement after the call: any other call may overwrite it.
[[nodiscard]] Error system_error(int sys_errno, std::string_view what);
// The other two kinds. Both leave sys_errno at 0.
[[nodiscard]] Error invalid_error(std::string message);
[[nodiscard]] Error unsupported_error(std::string message);

// True for EMFILE, ENFILE and ENOMEM. The same call can succeed later or with a higher limit, so
// such an error says nothing about the file or process that the call was about.
[[nodiscard]] bool is_shortage(int sys_errno);
// A hint for the user if is_shortage(), else "".
[[nodiscard]] std::string_view shortage_remedy(int sys_errno);

// "No such file or directory (ENOENT)", or "error 4711" for a number that is not in our table.
// Thread safe: strerror() is called for known numbers only, whose texts need no shared buffer.
[[nodiscard]] std::string errno_text(int sys_errno);
// "ENOENT", or "error 4711".
[[nodiscard]] std::string errno_name(int sys_errno);

}  // namespace bawn
