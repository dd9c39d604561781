#include "backend/linux/init/private_directory.h"

#include <fcntl.h>
#include <linux/stat.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

int open_directory(int parent, const char* name) {
  return static_cast<int>(kernel(__NR_openat, parent, name, kOpenDirectory, 0));
}

// The command may have left a directory whose mode denies its owner access, so the mode is changed
// first. By path is safe here: no process of the run is left that could replace it with a link.
int open_directory_forcibly(int parent, const char* name) {
  kernel(__NR_fchmodat, parent, name, 0700);
  return open_directory(parent, name);
}

bool remove_file(int parent, const char* name) {
  return kernel(__NR_unlinkat, parent, name, 0) == 0;
}
bool remove_empty(int parent, const char* name) {
  return kernel(__NR_unlinkat, parent, name, AT_REMOVEDIR) == 0;
}

bool is_directory(int parent, const char* name) {
  const int fd = static_cast<int>(
      kernel(__NR_openat, parent, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC, 0));
  if (fd >= 0) kernel(__NR_close, fd);
  return fd >= 0;
}

class Remover {
 public:
  explicit Remover(int root) : root_(root) {}

  // Moves subdirectories up to the root before it empties them, so a tree of any depth needs two
  // open directories and no recursion. Gives up when a whole pass has changed nothing.
  void run() {
    while (pass()) {
    }
  }

 private:
  bool pass() {
    bool progress = false;
    kernel(__NR_lseek, root_, 0, 0);
    DirectoryEntries entries(root_);
    while (const char* name = entries.next()) {
      if (!is_directory(root_, name)) {
        progress |= remove_file(root_, name);
      } else {
        progress |= empty_child(name);
        progress |= remove_empty(root_, name);
      }
    }
    return progress;
  }

  bool empty_child(const char* name) {
    const int child = open_directory_forcibly(root_, name);
    if (child < 0) return false;
    bool progress = false;
    DirectoryEntries entries(child);
    while (const char* inner = entries.next()) {
      progress |= is_directory(child, inner) ? move_up(child, inner) : remove_file(child, inner);
    }
    kernel(__NR_close, child);
    return progress;
  }

  // The new name is a number. If the command has used that name, the next number is tried.
  bool move_up(int child, const char* inner) {
    // Moving a directory changes its "..", for which the kernel wants write permission on it.
    kernel(__NR_fchmodat, child, inner, 0700);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      constexpr unsigned kNoReplace = 1;
      const Decimal name(++moved_);
      if (kernel(__NR_renameat2, child, inner, root_, name.text, kNoReplace) == 0) return true;
    }
    return false;
  }

  int root_;
  std::uint64_t moved_ = 0;
};

}  // namespace

long make_private_directory(int parent, const char* name, PrivateDirectory& made) {
  if (const long result = kernel(__NR_mkdirat, parent, name, 0700); result < 0) return result;
  made = {.parent = parent, .self = open_directory(parent, name), .work = -1, .name = name};
  long result = made.self;
  if (result >= 0) result = kernel(__NR_mkdirat, made.self, "tmp", 0700);
  if (result >= 0) result = kernel(__NR_mkdirat, made.self, "work", 0700);
  if (result >= 0) result = made.work = open_directory(made.self, "work");
  if (result < 0) remove_private_directory(made);
  return result < 0 ? result : 0;
}

void remove_private_directory(const PrivateDirectory& directory) {
  if (directory.name == nullptr) return;
  if (directory.self >= 0) {
    kernel(__NR_fchmod, directory.self, 0700);
    Remover(directory.self).run();
  }
  remove_empty(directory.parent, directory.name);
}

}  // namespace bawn::init
