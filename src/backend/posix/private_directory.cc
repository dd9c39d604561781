#include "backend/posix/private_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "sys/call.h"

namespace bawn::posix {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

int open_directory(int parent, const std::string& name) {
  return sys::retried([&] { return ::openat(parent, name.c_str(), kOpenDirectory); });
}

// An error is ignored: the operation that needs the mode fails then and reports it.
void open_up(int parent, const std::string& name) {
  [[maybe_unused]] const int done = ::fchmodat(parent, name.c_str(), 0700, 0);
}

bool is_directory(int parent, const std::string& name) {
  struct stat facts {};
  return ::fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(facts.st_mode);
}

// Reads all names first: removing entries while reading may make readdir skip others.
std::vector<std::string> names_in(int directory) {
  struct Closer {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  std::vector<std::string> names;
  const int copy = open_directory(directory, ".");
  const std::unique_ptr<DIR, Closer> entries(copy < 0 ? nullptr : ::fdopendir(copy));
  if (!entries) return names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

class Remover {
 public:
  explicit Remover(int root) : root_(root) {}

  // Moves subdirectories up to the root before emptying them. Stops when a whole pass removes
  // nothing.
  void run() {
    while (pass()) {
    }
  }

 private:
  bool pass() {
    bool progress = false;
    for (const std::string& name : names_in(root_)) {
      if (!is_directory(root_, name)) {
        progress |= ::unlinkat(root_, name.c_str(), 0) == 0;
      } else {
        progress |= empty_child(name);
        progress |= ::unlinkat(root_, name.c_str(), AT_REMOVEDIR) == 0;
      }
    }
    return progress;
  }

  // chmod first: the mode may lock out even the owner. No process of the run is alive to replace
  // the directory by a link.
  bool empty_child(const std::string& name) {
    open_up(root_, name);
    const Fd child(open_directory(root_, name));
    if (!child) return false;
    bool progress = false;
    for (const std::string& inner : names_in(child.get())) {
      progress |= is_directory(child.get(), inner) ? move_up(child.get(), inner)
                                                   : ::unlinkat(child.get(), inner.c_str(), 0) == 0;
    }
    return progress;
  }

  // Moving a directory rewrites its "..", which needs write permission on it. The command may have
  // used the same name for a file or a directory that is not empty; then the next number is tried.
  bool move_up(int child, const std::string& inner) {
    open_up(child, inner);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const std::string name = concat("bawn-moved-", ++moved_);
      if (::renameat(child, inner.c_str(), root_, name.c_str()) == 0) return true;
    }
    return false;
  }

  int root_;
  unsigned long moved_ = 0;
};

Result<void> make_part(int directory, const char* name, bool wanted) {
  if (!wanted) return {};
  BAWN_TRY(sys::checked(concat("mkdir '", std::string_view(name), "'"),
                        [&] { return ::mkdirat(directory, name, 0700); }));
  return {};
}

}  // namespace

Result<PrivateDirectory> PrivateDirectory::make(const std::string& parent, const std::string& name,
                                                const PrivateParts& parts) {
  BAWN_ASSIGN(const int parent_fd, sys::checked(concat("open ", quote(parent)), [&] {
                return ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
              }));
  Fd held(parent_fd);
  BAWN_TRY(sys::checked(concat("mkdir ", quote(name), " in ", quote(parent)),
                        [&] { return ::mkdirat(parent_fd, name.c_str(), 0700); }));
  PrivateDirectory made(std::move(held), Fd(open_directory(parent_fd, name)), name);
  if (!made.self_) return system_error(errno, concat("open ", quote(name)));
  BAWN_TRY(make_part(made.self_.get(), "home", parts.home));
  BAWN_TRY(make_part(made.self_.get(), "tmp", parts.tmp));
  BAWN_TRY(make_part(made.self_.get(), "work", parts.work));
  return made;
}

bool PrivateDirectory::remove() {
  if (!parent_) return true;
  if (self_) {
    open_up(parent_.get(), name_);
    Remover(self_.get()).run();
  }
  const bool gone = ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR) == 0;
  if (gone) parent_.reset();
  return gone;
}

}  // namespace bawn::posix
