#include "backend/linux/lookup/mappable_programs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

#include "sys/call.h"
#include "sys/directory.h"
#include "sys/fd.h"
#include "sys/open_beneath.h"
#include "validate/program/elf_interpreter.h"

namespace bawn::linux_ {
namespace {

constexpr int kDeepest = 64;  // a descriptor is open for each level

bool is_executable_file(const struct stat& status) {
  return S_ISREG(status.st_mode) && (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
}

bool is_program(int directory, const std::string& name) {
  struct stat status {};
  if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !is_executable_file(status))
    return false;
  const auto file = sys::open_beneath(directory, name, O_RDONLY);
  if (!file) return false;
  std::string head(kElfStartBytes, '\0');
  const ssize_t got =
      sys::retried([&] { return pread(file.value().get(), head.data(), head.size(), 0); });
  head.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return !read_elf_start(head).interpreter.empty();
}

std::uint64_t count_below(int directory, int depth) {
  const auto list = sys::list_directory(directory, std::numeric_limits<std::size_t>::max());
  if (!list || depth == kDeepest) return 0;
  std::uint64_t count = 0;
  for (const auto& [name, type] : list.value().entries) {
    if (type == DT_REG || type == DT_UNKNOWN) count += is_program(directory, name) ? 1U : 0U;
    if (type != DT_DIR && type != DT_UNKNOWN) continue;
    if (const auto below = sys::open_beneath(directory, name, O_RDONLY | O_DIRECTORY))
      count += count_below(below.value().get(), depth + 1);
  }
  return count;
}

}  // namespace

std::uint64_t count_mappable_programs(const std::vector<std::string>& directories) {
  std::uint64_t count = 0;
  for (const std::string& directory : directories) {
    const Fd top(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (top) count += count_below(top.get(), 0);
  }
  return count;
}

}  // namespace bawn::linux_
