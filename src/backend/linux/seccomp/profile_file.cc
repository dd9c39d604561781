#include "backend/linux/seccomp/profile_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "backend/linux/lookup/path_lookup.h"
#include "backend/linux/seccomp/compile.h"
#include "backend/linux/seccomp/profile.h"
#include "base/text.h"
#include "sys/call.h"
#include "sys/file_kind.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

constexpr char kKnownCalls[] =
#include "known.text.inc"
    ;
constexpr char kNoLease[] =
#include "no_lease.text.inc"
    ;
constexpr char kNoMemfd[] =
#include "no_memfd.text.inc"
    ;
constexpr char kNoSetUserId[] =
#include "no_set_user_id.text.inc"
    ;
constexpr char kNoSetId[] =
#include "no_set_id.text.inc"
    ;

// The layers below the user's profile.
std::vector<std::string_view> layers_beside(const RefusedBeside& refused) {
  std::vector<std::string_view> layers = {
      kKnownCalls, kNoLease, refused.set_id == RefusedSetId::user ? kNoSetUserId : kNoSetId};
  if (refused.memfd) layers.emplace_back(kNoMemfd);
  return layers;
}

// Docker's profile, the longest in use, has 20 KiB.
constexpr std::size_t kLongestProfile = 1024 * 1024;

Result<std::string> read_whole(int fd) {
  constexpr std::size_t kPiece = 32 * 1024;
  std::string text;
  for (std::size_t filled = 0; filled <= kLongestProfile;) {
    text.resize(filled + kPiece);
    BAWN_ASSIGN(const ssize_t count,
                sys::checked("read", [&] { return ::read(fd, &text[filled], kPiece); }));
    filled += static_cast<std::size_t>(count);
    text.resize(filled);
    if (count == 0) return text;
  }
  return invalid_error(
      concat("longer than ", kLongestProfile, " bytes, the most that a profile may have"));
}

// Reads through the descriptor of the look-up, so that the file read is the one that the plan
// protects. A FIFO or a device is never opened.
Result<std::string> read_text(const Located& profile) {
  if (!profile.error.empty()) return invalid_error(profile.error);
  if (profile.file == nullptr) return system_error(ENOENT, "open");
  struct stat status {};
  if (::fstat(fd_of(profile), &status) == -1) return system_error(errno, "fstat");
  if (!S_ISREG(status.st_mode))
    return invalid_error(concat(sys::file_kind(status.st_mode), ", expected a regular file"));
  const std::string path = concat("/proc/self/fd/", fd_of(profile));
  BAWN_ASSIGN(const Fd file, sys::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
  return read_whole(file.get());
}

// The user's profile is the last layer, so that it decides how a call is refused.
Result<std::vector<sock_filter>> compile_text(const std::string& text,
                                              const RefusedBeside& refused) {
  std::vector<std::string_view> texts = layers_beside(refused);
  texts.emplace_back(text);
  std::vector<seccomp::SeccompProfile> layers;
  for (const std::string_view layer : texts) {
    BAWN_ASSIGN(seccomp::SeccompProfile profile,
                seccomp::parse_seccomp_profile(std::string(layer)));
    layers.push_back(std::move(profile));
  }
  return seccomp::compile(layers, seccomp::kNativeArchitecture);
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

Result<std::vector<sock_filter>> load_seccomp_profile(const Located& profile,
                                                      const std::string& name,
                                                      const RefusedBeside& refused) {
  const Result<std::string> text = read_text(profile);
  if (!text) return of_profile(name, text.error());
  Result<std::vector<sock_filter>> filter = compile_text(text.value(), refused);
  if (!filter) return of_profile(name, filter.error());
  return filter;
}

}  // namespace bawn::linux_
