#include "handoff/look_unix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "handoff/file_state_unix.h"
#include "sys/call.h"
#include "sys/directory.h"
#include "sys/open_beneath.h"

namespace bawn::handoff {
namespace {

constexpr std::size_t kMostListed = 4096;  // in one directory
constexpr std::size_t kMostFiles = 1024;
constexpr std::size_t kMostFileBytes = 128UL * 1024;
constexpr std::size_t kMostBytes = 4UL * 1024 * 1024;

Result<FileState> look_up(int directory, const std::string& name) {
  struct stat status {};
  BAWN_TRY(sys::checked("look at a file of the workspace", [&] {
    return ::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW);
  }));
  return state_of(status);
}

FileContent link_content(int directory, const std::string& name) {
  std::array<char, 4096> target{};
  const ssize_t length = ::readlinkat(directory, name.c_str(), target.data(), target.size());
  if (length < 0) return {};
  return {.kind = FileContent::Kind::link,
          .text = std::string(target.data(), static_cast<std::size_t>(length))};
}

// Up to `size` bytes; another program may make the file shorter meanwhile.
std::optional<std::string> bytes_of(int fd, std::size_t size) {
  std::string bytes(size, '\0');
  const ssize_t got = sys::retried([&] { return ::pread(fd, bytes.data(), bytes.size(), 0); });
  if (got < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

// Of the file to which a link leads without leaving the root.
Result<FileState> state_behind(int root, const std::string& path) {
  BAWN_ASSIGN(const Fd target,
              sys::open_beneath_through_links(root, path, sys::kSearch & ~O_DIRECTORY));
  struct stat status {};
  BAWN_TRY(sys::checked("fstat", [&] { return ::fstat(target.get(), &status); }));
  return state_of(status);
}

// Whether a directory that could not be opened may be there all the same.
bool is_there(const Error& error) {
  return error.sys_errno != ENOENT && error.sys_errno != ENOTDIR && error.sys_errno != ELOOP;
}

// Of rows that have this part in common: those that go on behind it. They stand last.
std::span<const HandoffName> rows_below(std::span<const HandoffName> rows, std::size_t depth) {
  const auto below = std::ranges::find_if_not(
      rows, [&](const HandoffName& row) { return part_of(row, depth + 1).empty(); });
  return {below, rows.end()};
}

}  // namespace

// A directory on the way to files of the table.
struct Looker::Place {
  int directory = -1;
  std::size_t depth = 0;  // of the part of a pattern that its names are compared with
  std::string prefix{};
  std::string below{};     // as in LookAt
  std::string unlisted{};  // why it cannot be listed; "" if it can
};

void Looker::look(const LookAt& at) {
  root_ = at.directory;
  const std::string below = at.path.empty() ? "" : concat(at.path, "/");
  Place place{.directory = root_, .prefix = concat(at.prefix, below), .below = below};
  Fd opened;
  if (!at.path.empty()) {
    auto directory = sys::open_beneath(root_, at.path, O_RDONLY | O_DIRECTORY);
    if (!directory) {
      if (!is_there(directory.error())) return;
      place.unlisted = directory.error().message;
      directory = sys::open_beneath(root_, at.path, sys::kSearch);
    }
    if (!directory) return miss(concat(at.prefix, at.path), directory.error().message);
    opened = std::move(directory).value();
    place.directory = opened.get();
  }
  if (at.table == NameTable::work_tree) return look_at_work_tree(place);
  look_for(place, handoff_names(at.table));
}

// It is listed, because the table has more names than most of them. Where that does not give all
// names, each name of the table is asked for.
void Looker::look_at_work_tree(const Place& place) {
  const auto list = sys::list_directory(place.directory, kMostListed);
  if (list && list.value().complete) {
    for (const auto& [name, type] : list.value().entries) {
      const auto rows = rows_named(NameTable::work_tree, name);
      if (!rows.empty()) look_at_name(place, name, rows);
    }
    return;
  }
  for (Rows rest = handoff_names(NameTable::work_tree); !rest.empty();) {
    const std::string name(part_of(rest.front(), 0));
    const auto same = rows_named(NameTable::work_tree, name);
    look_at_name(place, name, same);
    rest = rest.subspan(same.size());
  }
}

void Looker::miss(std::string path, std::string why) {
  found_.unseen.push_back({std::move(path), std::move(why)});
}

// Once, although each of its names would have the same error.
void Looker::miss_place(const Place& place, const std::string& why) {
  const std::string_view path(place.prefix);
  const std::string shown(path.empty() ? "." : path.substr(0, path.size() - 1));
  if (std::ranges::find(found_.unseen, shown, &Unseen::path) == found_.unseen.end())
    miss(shown, why);
}

sys::DirectoryList Looker::names_in(const Place& place) {
  sys::DirectoryList none{.entries = {}, .complete = false};
  if (!place.unlisted.empty()) {
    miss_place(place, place.unlisted);
    return none;
  }
  auto list = sys::list_directory(place.directory, kMostListed);
  if (!list) {
    miss_place(place, list.error().message);
    return none;
  }
  if (!list.value().complete) miss_place(place, "it has too many names");
  return std::move(list).value();
}

// Rows with the same part stand side by side. The directory is listed only if that takes fewer
// calls than to ask for each name.
void Looker::look_for(const Place& place, Rows rows) {
  constexpr std::size_t kMostAsked = 4;
  const auto is_star = [](std::string_view part) {
    return part.find('*') != std::string_view::npos;
  };
  const bool is_listed = (rows.size() > kMostAsked && place.unlisted.empty()) ||
                         std::ranges::any_of(rows, [&](const HandoffName& row) {
                           return is_star(part_of(row, place.depth));
                         });
  const auto list =
      is_listed ? names_in(place) : sys::DirectoryList{.entries = {}, .complete = false};
  while (!rows.empty()) {
    const std::string_view part = part_of(rows.front(), place.depth);
    const auto other = std::ranges::find_if(
        rows, [&](const HandoffName& row) { return part_of(row, place.depth) != part; });
    const auto same = rows.first(static_cast<std::size_t>(other - rows.begin()));
    rows = rows.subspan(same.size());
    if (!list.complete && !is_star(part)) {
      look_at_name(place, std::string(part), same);
      continue;
    }
    for (const auto& [name, type] : list.entries) {
      if (part_matches(part, name)) look_at_name(place, name, same);
    }
  }
}

// The rows end with this name, or go on below it.
void Looker::look_at_name(const Place& place, const std::string& name, Rows rows) {
  const auto state = look_up(place.directory, name);
  if (!state) {
    if (state.error().sys_errno != ENOENT) miss_place(place, state.error().message);
    return;
  }
  if (S_ISLNK(state.value().mode)) return look_at_link(place, name, state.value(), rows);
  const Rows below = rows_below(rows, place.depth);
  if (!S_ISDIR(state.value().mode)) {
    if (below.size() != rows.size()) look_at_file(place, name, state.value(), rows.front());
  } else if (!below.empty()) {
    look_below(place, name, sys::open_beneath(place.directory, name, O_RDONLY | O_DIRECTORY),
               below);
  }
}

// `opened` is open for reading; if that failed, search permission is enough for most rows.
void Looker::look_below(const Place& place, const std::string& name, Result<Fd> opened, Rows rows) {
  std::string unlisted;
  if (!opened) {
    unlisted = opened.error().message;
    opened = sys::open_beneath(place.directory, name, sys::kSearch);
  }
  if (!opened)
    opened = sys::open_beneath_through_links(root_, concat(place.below, name), sys::kSearch);
  if (!opened) return miss(concat(place.prefix, name), opened.error().message);
  look_for({.directory = opened.value().get(),
            .depth = place.depth + 1,
            .prefix = concat(place.prefix, name, "/"),
            .below = concat(place.below, name, "/"),
            .unlisted = std::move(unlisted)},
           rows);
}

// A link to a directory stands for the files in it. A link that leads nowhere, or out of the root,
// counts by itself.
void Looker::look_at_link(const Place& place, const std::string& name, const FileState& state,
                          Rows rows) {
  const std::string path = concat(place.below, name);
  const Rows below = rows_below(rows, place.depth);
  const auto target = state_behind(root_, path);
  const bool is_directory = target && S_ISDIR(target.value().mode);
  if (is_directory && !below.empty())
    look_below(place, name, sys::open_beneath_through_links(root_, path, O_RDONLY | O_DIRECTORY),
               below);
  if (is_directory && below.size() == rows.size()) return;
  if (!target && target.error().sys_errno == EACCES)
    miss(concat(place.prefix, name), target.error().message);
  SeenFile file{.path = concat(place.prefix, name), .row = &rows.front(), .state = state};
  if (target) file.target = target.value();
  if (!is_wanted(file)) return;
  file.content = link_content(place.directory, name);
  if (target && S_ISREG(target.value().mode)) {
    std::string link = std::move(file.content.text);
    file.content = read(sys::open_beneath_through_links(root_, path, O_RDONLY), file.target);
    file.content.link = std::move(link);
  }
  found_.files.push_back(std::move(file));
}

void Looker::look_at_file(const Place& place, const std::string& name, const FileState& state,
                          const HandoffName& row) {
  SeenFile file{.path = concat(place.prefix, name), .row = &row, .state = state};
  if (!is_wanted(file)) return;
  if (S_ISREG(state.mode))
    file.content = read(sys::open_beneath(place.directory, name, O_RDONLY), state);
  found_.files.push_back(std::move(file));
}

// False for a file that is as it was. Notes whether it is recent.
bool Looker::is_wanted(SeenFile& file) {
  file.is_recent = changed_ns(file) >= now_ns_;
  const SeenFile* was = before_ == nullptr ? nullptr : find_file(*before_, file.path);
  if (was != nullptr && was->state == file.state && was->target == file.target && !was->is_recent)
    return false;
  if (found_.files.size() < kMostFiles) return true;
  if (!found_.is_full) miss(file.path, "there are too many such files");
  found_.is_full = true;
  return false;
}

FileContent Looker::read(const Result<Fd>& opened, const FileState& state) {
  const bool is_small = state.size <= kMostFileBytes && bytes_ + state.size <= kMostBytes;
  if (!opened || !is_small) return {};
  auto bytes = bytes_of(opened.value().get(), state.size);
  if (!bytes) return {};
  bytes_ += bytes->size();
  return {.kind = FileContent::Kind::text, .text = *std::move(bytes)};
}

Snapshot Looker::finish() && {
  std::ranges::stable_sort(found_.files, {}, &SeenFile::path);
  const auto is_same = [](const SeenFile& a, const SeenFile& b) { return a.path == b.path; };
  found_.files.erase(std::unique(found_.files.begin(), found_.files.end(), is_same),
                     found_.files.end());
  return std::move(found_);
}

}  // namespace bawn::handoff
