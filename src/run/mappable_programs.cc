#include "run/mappable_programs.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "validate/program/elf_interpreter.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::directory_entry& entry) {
  std::error_code error;
  const fs::file_status status = entry.symlink_status(error);
  const fs::perms executable =
      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  if (error || !fs::is_regular_file(status) ||
      (status.permissions() & executable) == fs::perms::none)
    return false;
  std::string head(kElfStartBytes, '\0');
  std::ifstream file(entry.path(), std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return !read_elf_start(head).interpreter.empty();
}

std::uint64_t count_below(const std::string& directory) {
  std::uint64_t count = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error))
    count += is_program(*at) ? 1U : 0U;
  return count;
}

}  // namespace

std::uint64_t count_mappable_programs(const std::vector<std::string>& directories) {
  std::uint64_t count = 0;
  for (const std::string& directory : directories) count += count_below(directory);
  return count;
}

}  // namespace bawn
