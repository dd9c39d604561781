#include "backend/posix/private_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/tree_remover.h"
#include "sys/call.h"

namespace bawn::posix {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct Calls {
  static int open(int parent, const char* name) {
    return sys::retried([&] { return ::openat(parent, name, kOpenDirectory); });
  }
  static void close(int fd) { ::close(fd); }
  static void permit(int parent, const char* name) {
    [[maybe_unused]] const int done = ::fchmodat(parent, name, 0700, 0);
  }
  static bool remove_file(int parent, const char* name) { return ::unlinkat(parent, name, 0) == 0; }
  static bool remove_directory(int parent, const char* name) {
    return ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
  }

  static bool is_directory(int parent, const char* name) {
    struct stat facts {};
    return ::fstatat(parent, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
  }

  // Replaces an empty directory.
  static bool move(int from, const char* name, int to, unsigned long number) {
    return ::renameat(from, name, to, concat("bawn-moved-", number).c_str()) == 0;
  }

  // Reads all names first: removing entries while reading may make readdir skip others.
  template <class Visit>
  static void each_name(int directory, Visit visit) {
    struct Closer {
      void operator()(DIR* open) const { ::closedir(open); }
    };
    const int copy = open(directory, ".");
    const std::unique_ptr<DIR, Closer> entries(copy < 0 ? nullptr : ::fdopendir(copy));
    if (!entries) return;
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    for (const std::string& name : names) visit(name.c_str());
  }
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
  PrivateDirectory made(std::move(held), Fd(Calls::open(parent_fd, name.c_str())), name);
  if (!made.self_) return system_error(errno, concat("open ", quote(name)));
  BAWN_TRY(make_part(made.self_.get(), "home", parts.home));
  BAWN_TRY(make_part(made.self_.get(), "tmp", parts.tmp));
  BAWN_TRY(make_part(made.self_.get(), "work", parts.work));
  return made;
}

bool PrivateDirectory::remove() {
  if (!parent_) return true;
  if (self_) {
    Calls::permit(parent_.get(), name_.c_str());
    TreeRemover<Calls>(self_.get()).run();
  }
  const bool gone = Calls::remove_directory(parent_.get(), name_.c_str());
  if (gone) parent_.reset();
  return gone;
}

}  // namespace bawn::posix
