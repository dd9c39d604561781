#include "sys/directory.h"

#include <dirent.h>
#include <fcntl.h>

#include <memory>
#include <string_view>

#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::sys {
namespace {

struct CloseDirectory {
  void operator()(DIR* open) const { ::closedir(open); }
};

}  // namespace

Result<DirectoryList> list_directory(int directory, std::size_t most) {
  BAWN_ASSIGN(const int opened, checked("open a directory", [&] {
                return ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
              }));
  Fd fd(opened);
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(fd.get()));
  if (stream == nullptr) return system_error(errno, "fdopendir");
  static_cast<void>(fd.release());  // closedir() closes it
  DirectoryList list;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0) return system_error(errno, "readdir");
    if (entry == nullptr) return list;
    const std::string_view name(entry->d_name);
    if (name == "." || name == "..") continue;
    list.complete = list.entries.size() < most;
    if (!list.complete) return list;
    list.entries.push_back({std::string(name), entry->d_type});
  }
}

std::vector<std::string> names_of(DirectoryList list) {
  std::vector<std::string> names;
  names.reserve(list.entries.size());
  for (DirectoryEntry& entry : list.entries) names.push_back(std::move(entry.name));
  return names;
}

}  // namespace bawn::sys
