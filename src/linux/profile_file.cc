#include "linux/profile_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "linux/profile_cache.h"
#include "linux/seccomp_compile.h"
#include "linux/seccomp_profile.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn {
namespace {

constexpr char kKnownCalls[] =
#include "known.text.inc"
    ;
constexpr char kNoSetUserId[] =
#include "no_set_user_id.text.inc"
    ;
constexpr char kNoSetId[] =
#include "no_set_id.text.inc"
    ;

std::string_view set_id_layer(RefusedSetId refused) {
  return refused == RefusedSetId::user ? kNoSetUserId : kNoSetId;
}

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

// The profile is the last layer, so that what it refuses is refused in its way.
Result<std::vector<sock_filter>> compile_text(const std::string& text, RefusedSetId refused) {
  std::vector<seccomp::Profile> layers;
  for (const std::string_view layer :
       {std::string_view(kKnownCalls), set_id_layer(refused), std::string_view(text)}) {
    BAWN_ASSIGN(seccomp::Profile profile, seccomp::parse_profile(std::string(layer)));
    layers.push_back(std::move(profile));
  }
  return seccomp::compile(layers, seccomp::kNativeArchitecture);
}

Result<std::vector<sock_filter>> cached_or_compiled(const std::string& text, RefusedSetId refused,
                                                    const std::string& runtime_directory) {
  const std::optional<ProfileCache> cache = ProfileCache::open(runtime_directory);
  if (!cache) return compile_text(text, refused);
  if (std::optional<std::vector<sock_filter>> filter = cache->find(text, refused)) return std::move(*filter);
  BAWN_ASSIGN(std::vector<sock_filter> filter, compile_text(text, refused));
  cache->keep(text, refused, filter);
  return filter;
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

Result<std::vector<sock_filter>> load_profile(const std::string& path, RefusedSetId refused,
                                              const std::string& runtime_directory) {
  const Result<std::string> text = read_text(path);
  if (!text) return of_profile(path, text.error());
  Result<std::vector<sock_filter>> filter = cached_or_compiled(text.value(), refused, runtime_directory);
  if (!filter) return of_profile(path, filter.error());
  return filter;
}

}  // namespace bawn
