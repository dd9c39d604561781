#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/open.h"
#include "sys/write_signals.h"

namespace bawn::sys {
namespace {

// MFD_NOEXEC_SEAL; older C libraries do not define it.
constexpr unsigned int kMfdNoexecSeal = 0x0008U;

Result<Fd> memory_file(const char* name) {
  const unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int fd = ::memfd_create(name, flags | kMfdNoexecSeal);
  if (fd == -1 && errno == EINVAL) fd = ::memfd_create(name, flags);  // Linux before 6.3
  if (fd == -1) return system_error(errno, "memfd_create");
  Fd file(fd);
  // Older kernels create a memfd with mode 0777. The content may come from an untrusted source and
  // must not be executable.
  BAWN_TRY(checked("fchmod memfd", [&] { return ::fchmod(file.get(), 0444); }));
  return file;
}

}  // namespace

Result<Fd> open_own_process() {
  BAWN_ASSIGN(const long fd,
              checked("pidfd_open", [] { return syscall(SYS_pidfd_open, getpid(), 0); }));
  return Fd(static_cast<int>(fd));
}

Result<void> write_to_memory(int fd, const void* bytes, std::size_t size) {
  const WriteSignalBlock no_signals;  // RLIMIT_FSIZE applies to memfds too
  const char* at = static_cast<const char*>(bytes);
  while (size != 0) {
    BAWN_ASSIGN(const ssize_t written,
                checked("write to memfd", [&] { return ::write(fd, at, size); }));
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return {};
}

Result<Fd> sealed_memory_file(const char* name, std::string_view content) {
  BAWN_ASSIGN(Fd file, memory_file(name));
  BAWN_TRY(write_to_memory(file.get(), content.data(), content.size()));
  BAWN_TRY(checked("lseek memfd", [&] { return ::lseek(file.get(), 0, SEEK_SET); }));
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  BAWN_TRY(checked("fcntl(F_ADD_SEALS)", [&] { return ::fcntl(file.get(), F_ADD_SEALS, kSeals); }));
  return file;
}

}  // namespace bawn::sys
