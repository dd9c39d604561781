#include "backend/linux/stdio/description_guard.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "base/text.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

// The flags that F_SETFL can change, except for O_APPEND, which is common.
constexpr int kRareFlags = O_ASYNC | O_DIRECT | O_NOATIME | O_NONBLOCK;

// fdinfo lists exactly the locks of this open file description, beside its flags.
bool has_no_lock(int fd) {
  auto file = sys::open(concat("/proc/thread-self/fdinfo/", fd).c_str(), O_RDONLY);
  if (!file) return false;
  std::array<char, 4096> text;
  const ssize_t length =
      sys::retried([&] { return read(file.value().get(), text.data(), text.size()); });
  if (length <= 0 || length == static_cast<ssize_t>(text.size())) return false;
  return std::string_view(text.data(), static_cast<std::size_t>(length)).find("lock:") ==
         std::string_view::npos;
}

}  // namespace

bool DescriptionGuard::can_restore(int fd) {
  return (fcntl(fd, F_GETFL) & kRareFlags) == 0 && fcntl(fd, F_GETOWN) == 0 &&
         fcntl(fd, F_GETSIG) == 0 && fcntl(fd, F_GETLEASE) == F_UNLCK && has_no_lock(fd);
}

// The owner marks the description as guarded. Two runs may share an output file, and the second
// must not take the state that the first command left for the original one.
DescriptionGuard::DescriptionGuard(int fd) : fd_(fd), flags_(fcntl(fd, F_GETFL)) {
  fcntl(fd_, F_SETOWN, getpid());
}

DescriptionGuard::~DescriptionGuard() {
  struct flock all {};
  all.l_type = F_UNLCK;
  all.l_whence = SEEK_SET;
  fcntl(fd_, F_SETFL, flags_);
  fcntl(fd_, F_SETOWN, 0);
  fcntl(fd_, F_SETSIG, 0);
  fcntl(fd_, F_SETLEASE, F_UNLCK);
  fcntl(fd_, F_OFD_SETLK, &all);
  flock(fd_, LOCK_UN);
}

}  // namespace bawn::linux_
