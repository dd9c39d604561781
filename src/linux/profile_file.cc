#include "linux/profile_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "base/text.h"
#include "linux/path_lookup.h"
#include "linux/seccomp_compile.h"
#include "linux/seccomp_profile.h"
#include "sys/call.h"
#include "sys/file_kind.h"
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

// By the descriptor of the look-up: the file that is read is the one that the plan protects. A FIFO or a device is never opened.
Result<std::string> read_text(const Located& profile) {
  if (!profile.trouble.empty()) return invalid_error(profile.trouble);
  if (profile.file == nullptr) return system_error(ENOENT, "open");
  struct stat status {};
  if (::fstat(fd_of(profile), &status) == -1) return system_error(errno, "fstat");
  if (!S_ISREG(status.st_mode))
    return invalid_error(concat(sys::file_kind(status.st_mode), ", expected a regular file"));
  const std::string path = concat("/proc/self/fd/", fd_of(profile));
  BAWN_ASSIGN(const Fd file, sys::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
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

Result<std::vector<sock_filter>> load_profile(const Located& profile, const std::string& name) {
  Result<std::string> text = read_text(profile);
  if (!text) return of_profile(name, text.error());
  Result<std::vector<sock_filter>> filter = compile_text(std::move(text).value());
  if (!filter) return of_profile(name, filter.error());
  return filter;
}

}  // namespace bawn
