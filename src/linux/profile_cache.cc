#include "linux/profile_cache.h"

#include <fcntl.h>
#include <sodium/crypto_hash_sha256.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "linux/filter_hash.h"
#include "linux/seccomp_filter.h"
#include "linux/syscall_names.h"
#include "sys/call.h"
#include "sys/open.h"
#include "sys/write_signals.h"

namespace bawn {
namespace {

// To be raised with every change to what the compiler makes of a profile, so that what an older one made is not used.
constexpr int kCompilerRevision = 2;

using Digest = std::array<unsigned char, crypto_hash_sha256_BYTES>;

Digest digest_of(std::initializer_list<std::string_view> pieces) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  for (const std::string_view piece : pieces) {
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
  }
  Digest digest{};
  crypto_hash_sha256_final(&state, digest.data());
  return digest;
}

std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}
std::string_view bytes_of(std::span<const sock_filter> filter) {
  return {reinterpret_cast<const char*>(filter.data()), filter.size_bytes()};
}

// The filters of the build stand for the compiler and for the layers that a profile gets: if it makes something else of them, or
// they are made of something else, other filters are different too.
std::string name_of(std::string_view profile_text, RefusedSetId refused) {
  const std::string compiler = concat(
      "bawn seccomp ", kCompilerRevision, " ", seccomp::audit_architecture(seccomp::kNativeArchitecture), " ",
      filter_hash(no_network_filter()), " ", filter_hash(default_filter()), " ", filter_hash(strict_filter()),
      refused == RefusedSetId::user ? " user" : " user and group", "\n");
  return hex(digest_of({compiler, profile_text}));
}

// Binds the filter to its name, so that one entry cannot be passed off as another.
Digest seal_of(std::string_view name, std::string_view filter_bytes) {
  return digest_of({name, filter_bytes});
}

enum class Privacy { not_writable, not_even_readable };

bool belongs_to_us_alone(const struct stat& status, Privacy privacy) {
  const mode_t others = privacy == Privacy::not_writable ? (S_IWGRP | S_IWOTH) : (S_IRWXG | S_IRWXO);
  return status.st_uid == geteuid() && (status.st_mode & others) == 0;
}

// A directory of ours, or none. `name` relative to `directory` is not followed if it is a link.
Fd open_own_directory(int directory, const char* name, Privacy privacy) {
  Fd fd(sys::retried(
      [&] { return ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) == -1 || !belongs_to_us_alone(status, privacy)) return {};
  return fd;
}

std::optional<std::string> read_entry(int folder, const std::string& name) {
  const Fd file(sys::retried([&] {
    return ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) == -1) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_nlink != 1 ||
      !belongs_to_us_alone(status, Privacy::not_even_readable))
    return std::nullopt;
  std::string bytes(sizeof(Digest) + BPF_MAXINSNS * sizeof(sock_filter), '\0');
  if (status.st_size > static_cast<off_t>(bytes.size())) return std::nullopt;
  const ssize_t count = sys::retried([&] { return ::pread(file.get(), bytes.data(), bytes.size(), 0); });
  if (count != status.st_size) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

}  // namespace

std::optional<ProfileCache> ProfileCache::open(const std::string& runtime_directory) {
  constexpr const char* kFolder = "bawn";
  if (!runtime_directory.starts_with('/')) return std::nullopt;
  // Whoever may write to the directory could put another in the place of our folder.
  const Fd base = open_own_directory(AT_FDCWD, runtime_directory.c_str(), Privacy::not_writable);
  if (!base) return std::nullopt;
  if (::mkdirat(base.get(), kFolder, S_IRWXU) == -1 && errno != EEXIST) return std::nullopt;
  Fd folder = open_own_directory(base.get(), kFolder, Privacy::not_even_readable);
  if (!folder) return std::nullopt;
  return ProfileCache(std::move(folder));
}

std::optional<std::vector<sock_filter>> ProfileCache::find(std::string_view profile_text,
                                                          RefusedSetId refused) const {
  const std::string name = name_of(profile_text, refused);
  const std::optional<std::string> bytes = read_entry(folder_.get(), name);
  if (!bytes || bytes->size() <= sizeof(Digest)) return std::nullopt;
  const std::string_view seal = std::string_view(*bytes).substr(0, sizeof(Digest));
  const std::string_view code = std::string_view(*bytes).substr(sizeof(Digest));
  if (code.size() % sizeof(sock_filter) != 0) return std::nullopt;
  if (seal != bytes_of(seal_of(name, code))) return std::nullopt;
  std::vector<sock_filter> filter(code.size() / sizeof(sock_filter));
  std::memcpy(filter.data(), code.data(), code.size());
  return filter;
}

void ProfileCache::keep(std::string_view profile_text, RefusedSetId refused,
                        std::span<const sock_filter> filter) const {
  const std::string name = name_of(profile_text, refused);
  const std::string bytes = concat(bytes_of(seal_of(name, bytes_of(filter))), bytes_of(filter));
  const Fd file(sys::retried(
      [&] { return ::openat(folder_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR); }));
  if (!file) return;
  const sys::WriteSignalBlock survive_the_file_size_limit;
  const ssize_t count = sys::retried([&] { return ::write(file.get(), bytes.data(), bytes.size()); });
  if (count != static_cast<ssize_t>(bytes.size())) return;
  // What may stand there under this name could not be used. If another run is faster, its entry is as good.
  static_cast<void>(::unlinkat(folder_.get(), name.c_str(), 0));
  [[maybe_unused]] const int linked = ::linkat(AT_FDCWD, concat("/proc/self/fd/", file.get()).c_str(),
                                               folder_.get(), name.c_str(), AT_SYMLINK_FOLLOW);
}

}  // namespace bawn
