#include "linux/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "linux/keeper_image.h"
#include "sys/call.h"
#include "sys/write_signals.h"

namespace bawn {
namespace {

constexpr unsigned kMfdExec =
    0x10;  // Linux 6.3; older kernels have every memfd executable and refuse the flag

int memfd(const char* name, unsigned flags) { return memfd_create(name, MFD_CLOEXEC | flags); }

}  // namespace

Result<Fd> make_memory_file(const char* name) {
  Fd file(memfd(name, 0));
  if (!file) return system_error(errno, concat("memfd_create for ", std::string_view(name)));
  return file;
}

Result<void> write_memory_file(int fd, std::string_view bytes) {
  const sys::WriteSignalBlock no_signals;  // a caller's file-size limit counts for memory files too
  while (!bytes.empty()) {
    BAWN_ASSIGN(const ssize_t written,
                sys::checked("write to memfd", [&] { return write(fd, bytes.data(), bytes.size()); }));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<Fd> make_keeper_image() {
  Fd image(memfd("bawn-keeper", kMfdExec));
  if (!image && errno == EINVAL) image = Fd(memfd("bawn-keeper", 0));
  if (!image) {
    const int reason = errno;
    Error error = system_error(reason, "memfd_create for the keeper");
    if (reason == EACCES) error.message += " (sysctl vm.memfd_noexec is 2; it must be 0 or 1)";
    return error;
  }
  const auto bytes = keeper_image();
  BAWN_TRY(write_memory_file(image.get(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  return image;
}

}  // namespace bawn
