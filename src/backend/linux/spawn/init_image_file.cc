#include <sys/mman.h>

#include <cerrno>

#include "backend/linux/spawn/init_image.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

// Since Linux 6.3. On older kernels every memfd is executable, and the flag is refused.
constexpr unsigned kMfdExec = 0x10;

int memfd(const char* name, unsigned flags) { return memfd_create(name, MFD_CLOEXEC | flags); }

}  // namespace

Result<Fd> make_init_image() {
  Fd image(memfd("bawn-init", kMfdExec));
  if (!image && errno == EINVAL) image = Fd(memfd("bawn-init", 0));
  if (!image) {
    const int reason = errno;
    Error error = system_error(reason, "memfd_create for init");
    if (reason == EACCES) error.message += " (sysctl vm.memfd_noexec is 2; it must be 0 or 1)";
    return error;
  }
  BAWN_TRY(sys::write_to_memory(image.get(), init_image().data(), init_image().size()));
  return image;
}

}  // namespace bawn::linux_
