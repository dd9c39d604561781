#include "backend/linux/init/private_directory.h"

#include <fcntl.h>
#include <linux/stat.h>

#include "backend/linux/init/kernel.h"
#include "base/tree_remover.h"

namespace bawn::init {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct Calls {
  static int open(int parent, const char* name) {
    return static_cast<int>(kernel(__NR_openat, parent, name, kOpenDirectory, 0));
  }
  static void close(int fd) { kernel(__NR_close, fd); }
  static void permit(int parent, const char* name) { kernel(__NR_fchmodat, parent, name, 0700); }
  static bool remove_file(int parent, const char* name) {
    return kernel(__NR_unlinkat, parent, name, 0) == 0;
  }
  static bool remove_directory(int parent, const char* name) {
    return kernel(__NR_unlinkat, parent, name, AT_REMOVEDIR) == 0;
  }

  static bool is_directory(int parent, const char* name) {
    const int fd = static_cast<int>(
        kernel(__NR_openat, parent, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC, 0));
    if (fd >= 0) close(fd);
    return fd >= 0;
  }

  static bool move(int from, const char* name, int to, unsigned long number) {
    constexpr unsigned kNoReplace = 1;
    return kernel(__NR_renameat2, from, name, to, Decimal(number).text, kNoReplace) == 0;
  }

  template <class Visit>
  static void each_name(int directory, Visit visit) {
    kernel(__NR_lseek, directory, 0, 0);
    DirectoryEntries entries(directory);
    while (const char* name = entries.next()) visit(name);
  }
};

}  // namespace

long make_private_directory(int parent, const char* name, PrivateDirectory& made) {
  if (const long result = kernel(__NR_mkdirat, parent, name, 0700); result < 0) return result;
  made = {.parent = parent, .self = Calls::open(parent, name), .work = -1, .name = name};
  long result = made.self;
  if (result >= 0) result = kernel(__NR_mkdirat, made.self, "tmp", 0700);
  if (result >= 0) result = kernel(__NR_mkdirat, made.self, "work", 0700);
  if (result >= 0) result = made.work = Calls::open(made.self, "work");
  if (result < 0) remove_private_directory(made);
  return result < 0 ? result : 0;
}

void remove_private_directory(const PrivateDirectory& directory) {
  if (directory.name == nullptr) return;
  if (directory.self >= 0) {
    kernel(__NR_fchmod, directory.self, 0700);
    TreeRemover<Calls>(directory.self).run();
  }
  Calls::remove_directory(directory.parent, directory.name);
}

}  // namespace bawn::init
