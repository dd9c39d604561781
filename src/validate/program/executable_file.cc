#include "validate/program/executable_file.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "validate/program/program_name.h"

namespace bawn {
namespace {

using Status = ExecutableFile::Status;

std::string_view kind_error(const Located& file) {
  switch (file.kind) {
    case FileKind::directory:
      return "it is a directory";
    case FileKind::other:
      return "it is not a regular file";
    default:
      return "it has no execute permission";
  }
}

ExecutableFile examine(std::string path, const PathLookup& lookup) {
  ExecutableFile out;
  out.name = base_name(path);
  out.file = lookup.locate(path);
  const bool asks_for_directory = path.ends_with('/');
  out.found_as = std::move(path);
  if (!out.file.error.empty()) {
    out.status = Status::unknown;
    out.error = out.file.error;
  } else if (out.file.kind == FileKind::missing ||
             (asks_for_directory && out.file.kind != FileKind::directory)) {
    out.status = Status::missing;
  } else if (out.file.kind != FileKind::regular || !out.file.executable) {
    out.status = Status::not_executable;
    out.error = kind_error(out.file);
  } else {
    out.status = Status::found;
  }
  return out;
}

// As execvp() does it: a file that cannot be executed does not end the search, but is the result if
// nothing better follows.
ExecutableFile search_path(std::string_view name, std::span<const std::string> search,
                           const PathLookup& lookup) {
  ExecutableFile best;
  std::vector<std::string> seen;  // /bin is often a link to /usr/bin
  const auto found_in = [&](std::string_view directory) {
    const Located place = lookup.locate(directory);
    if (std::find(seen.begin(), seen.end(), place.path) != seen.end()) return false;
    seen.push_back(place.path);
    ExecutableFile candidate = examine(concat(directory, "/", name), lookup);
    const bool found = candidate.status == Status::found;
    if (found || best.status == Status::missing) best = std::move(candidate);
    return found;
  };
  if (std::none_of(search.begin(), search.end(), found_in)) {
    const auto trusted = lookup.trusted_path();
    static_cast<void>(std::any_of(trusted.begin(), trusted.end(), found_in));
  }
  return best;
}

bool names_no_file(std::string_view command) {
  return command.empty() || command == "." || command == ".." ||
         command.find('\0') != std::string_view::npos;
}

}  // namespace

ExecutableFile find_executable(std::string_view command, std::string_view directory,
                               const PathLookup& lookup, std::span<const std::string> search) {
  ExecutableFile nothing;
  nothing.name = base_name(command);
  if (names_no_file(command)) return nothing;
  if (command.front() == '/') return examine(std::string(command), lookup);
  if (command.find('/') == std::string_view::npos) {
    ExecutableFile out = search_path(command, search, lookup);
    out.name = command;
    return out;
  }
  if (directory.empty()) return nothing;
  return examine(concat(directory == "/" ? "" : directory, "/", command), lookup);
}

bool same_file(const Located& a, const Located& b) {
  if (a.kind == FileKind::missing || b.kind == FileKind::missing) return false;
  if (a.inode != 0 && b.inode != 0) return a.device == b.device && a.inode == b.inode;
  return !a.path.empty() && a.path == b.path;
}

bool lies_on_trusted_path(const Located& file, const PathLookup& lookup) {
  const std::size_t slash = file.path.rfind('/');
  if (slash == std::string::npos) return false;
  const std::string_view directory = std::string_view(file.path).substr(0, slash);
  const auto trusted = lookup.trusted_path();
  return std::find(trusted.begin(), trusted.end(), directory) != trusted.end();
}

}  // namespace bawn
