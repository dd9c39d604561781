#include "sys/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <string_view>

#include "sys/call.h"
#include "sys/fd.h"
#include "sys/open_beneath.h"

namespace bawn::sys {
namespace {

// False if the list is full.
bool add(DirectoryList& list, std::size_t most, std::string_view name, unsigned char type) {
  if (name == "." || name == "..") return true;
  list.complete = list.entries.size() < most;
  if (list.complete) list.entries.push_back({std::string(name), type});
  return list.complete;
}

}  // namespace

#ifdef __linux__

// Without a DIR, which costs three calls more for each directory.
Result<DirectoryList> list_directory(int directory, std::size_t most) {
  constexpr std::size_t kBytes = 8192;
  alignas(dirent64) char buffer[kBytes];
  BAWN_TRY(checked("lseek", [&] { return ::lseek(directory, 0, SEEK_SET); }));
  DirectoryList list;
  for (;;) {
    BAWN_ASSIGN(const ssize_t got,
                checked("getdents64", [&] { return ::getdents64(directory, buffer, kBytes); }));
    if (got == 0) return list;
    for (ssize_t at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer + at);
      if (!add(list, most, entry->d_name, entry->d_type)) return list;
      at += entry->d_reclen;
    }
  }
}

#else

namespace {

struct CloseDirectory {
  void operator()(DIR* open) const { ::closedir(open); }
};

}  // namespace

Result<DirectoryList> list_directory(int directory, std::size_t most) {
  BAWN_ASSIGN(Fd fd, open_beneath(directory, "", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(fd.get()));
  if (stream == nullptr) return system_error(errno, "fdopendir");
  static_cast<void>(fd.release());  // closedir() closes it
  DirectoryList list;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0) return system_error(errno, "readdir");
    if (entry == nullptr || !add(list, most, entry->d_name, entry->d_type)) return list;
  }
}

#endif

Result<std::vector<std::string>> names_in(int directory, std::size_t most) {
  BAWN_ASSIGN(const Fd readable, open_beneath(directory, "", O_RDONLY | O_DIRECTORY));
  BAWN_ASSIGN(DirectoryList list, list_directory(readable.get(), most));
  std::vector<std::string> names;
  names.reserve(list.entries.size());
  for (DirectoryEntry& entry : list.entries) names.push_back(std::move(entry.name));
  return names;
}

}  // namespace bawn::sys
