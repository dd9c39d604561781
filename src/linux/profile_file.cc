#include "linux/profile_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "base/text.h"
#include "linux/seccomp_compile.h"
#include "linux/seccomp_profile.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn {
namespace {

// Docker's profile, the longest in use, has 20 KiB.
constexpr std::size_t kLongestProfile = 1024 * 1024;

Result<std::string> read_whole(int fd) {
  constexpr std::size_t kPiece = 32 * 1024;
  std::string text;
  for (std::size_t filled = 0; filled <= kLongestProfile;) {
    text.resize(filled + kPiece);
    BAWN_ASSIGN(const ssize_t count, sys::checked("read", [&] { return ::read(fd, &text[filled], kPiece); }));
    filled += static_cast<std::size_t>(count);
    text.resize(filled);
    if (count == 0) return text;
  }
  return invalid_error(concat("longer than ", kLongestProfile, " bytes, which no profile is"));
}

// O_NONBLOCK: a fifo without a writer must not hold the caller; it is told apart once it is open.
Result<std::string> read_text(const std::string& path) {
  BAWN_ASSIGN(const Fd file, sys::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (::fstat(file.get(), &status) == -1) return system_error(errno, "fstat");
  if (!S_ISREG(status.st_mode)) return invalid_error("not a regular file");
  return read_whole(file.get());
}

Result<std::vector<sock_filter>> compile_text(std::string text) {
  BAWN_ASSIGN(const seccomp::Profile profile, seccomp::parse_profile(std::move(text)));
  return seccomp::compile(std::span(&profile, 1), seccomp::kNativeArchitecture);
}

Error of_profile(const std::string& path, const Error& error) {
  Error named{error.kind, error.sys_errno, ""};
  for (const std::string_view mistake : split(error.message, '\n')) {
    named.message +=
        concat(named.message.empty() ? "" : "\n", "seccomp profile ", quote(path), ": ", mistake);
  }
  return named;
}

}  // namespace

Result<std::vector<sock_filter>> load_profile(const std::string& path) {
  Result<std::string> text = read_text(path);
  if (!text) return of_profile(path, text.error());
  Result<std::vector<sock_filter>> filter = compile_text(std::move(text).value());
  if (!filter) return of_profile(path, filter.error());
  return filter;
}

}  // namespace bawn
