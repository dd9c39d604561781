#include "handoff/look_unix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

std::optional<FileState> look_up(int directory, const std::string& name) {
  struct stat status {};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return state_of(status);
}

FileContent link_content(int directory, const std::string& name) {
  std::array<char, 4096> target{};
  const ssize_t length = ::readlinkat(directory, name.c_str(), target.data(), target.size());
  if (length < 0) return {};
  return {FileContent::Kind::link, std::string(target.data(), static_cast<std::size_t>(length))};
}

// Up to `size` bytes; another program may make the file shorter meanwhile.
std::optional<std::string> bytes_of(int fd, std::size_t size) {
  std::string bytes(size, '\0');
  const ssize_t got = sys::retried([&] { return ::pread(fd, bytes.data(), bytes.size(), 0); });
  if (got < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

}  // namespace

// A directory on the way to files of the table.
struct Looker::Place {
  int directory = -1;
  std::size_t depth = 0;  // of the part of a pattern that its names are compared with
  std::string prefix{};
};

// A work tree is listed, because the table has more names than most of them.
void Looker::look(const LookAt& at) {
  const Place place{.directory = at.directory, .prefix = at.prefix};
  if (at.table == NameTable::git_directory) return look_for(place, handoff_names(at.table));
  for (const auto& [name, type] : names_in(place)) {
    const auto rows = rows_named(at.table, name);
    if (!rows.empty()) look_at_name(place, name, rows);
  }
}

void Looker::miss(std::string path, std::string why) {
  found_.unseen.push_back({std::move(path), std::move(why)});
}

std::vector<sys::DirectoryEntry> Looker::names_in(const Place& place) {
  const std::string shown = place.prefix.empty() ? "." : place.prefix;
  auto list = sys::list_directory(place.directory, kMostListed);
  if (!list) {
    miss(shown, list.error().message);
    return {};
  }
  if (!list.value().complete) miss(shown, "it has too many names");
  return std::move(list.value().entries);
}

// Rows with the same part stand side by side. The directory is listed only if that takes fewer
// calls than to ask for each name.
void Looker::look_for(const Place& place, std::span<const HandoffName> rows) {
  constexpr std::size_t kMostAsked = 4;
  const auto has_star = [&](const HandoffName& row) {
    return part_of(row, place.depth).find('*') != std::string_view::npos;
  };
  const bool is_listed = rows.size() > kMostAsked || std::ranges::any_of(rows, has_star);
  const auto names = is_listed ? names_in(place) : std::vector<sys::DirectoryEntry>();
  while (!rows.empty()) {
    const std::string_view part = part_of(rows.front(), place.depth);
    const auto other = std::ranges::find_if(
        rows, [&](const HandoffName& row) { return part_of(row, place.depth) != part; });
    const auto same = rows.first(static_cast<std::size_t>(other - rows.begin()));
    rows = rows.subspan(same.size());
    if (!is_listed) look_at_name(place, std::string(part), same);
    for (const auto& [name, type] : names) {
      if (part_matches(part, name)) look_at_name(place, name, same);
    }
  }
}

// The rows end with this name, or go on below it.
void Looker::look_at_name(const Place& place, const std::string& name,
                          std::span<const HandoffName> rows) {
  const auto ends_here = [&](const HandoffName& row) {
    return part_of(row, place.depth + 1).empty();
  };
  const auto below = std::ranges::find_if_not(rows, ends_here);
  if (below != rows.begin())
    look_at_file(place.directory, name, concat(place.prefix, name), rows.front());
  if (below == rows.end()) return;
  const auto opened = sys::open_beneath(place.directory, name, O_RDONLY | O_DIRECTORY);
  if (!opened) return;
  look_for({.directory = opened.value().get(),
            .depth = place.depth + 1,
            .prefix = concat(place.prefix, name, "/")},
           {below, rows.end()});
}

void Looker::look_at_file(int directory, const std::string& name, std::string path,
                          const HandoffName& row) {
  const auto state = look_up(directory, name);
  if (!state || S_ISDIR(state->mode)) return;
  const SeenFile* was = before_ == nullptr ? nullptr : find_file(*before_, path);
  if (was != nullptr && was->state == *state && !was->is_recent) return;
  if (found_.files.size() >= kMostFiles) {
    if (found_.files.size() == kMostFiles) miss(std::move(path), "there are too many such files");
    return;
  }
  found_.files.push_back({.path = std::move(path),
                          .row = &row,
                          .state = *state,
                          .is_recent = state->changed_ns >= now_ns_,
                          .content = read(directory, name, *state)});
}

FileContent Looker::read(int directory, const std::string& name, const FileState& state) {
  if (S_ISLNK(state.mode)) return link_content(directory, name);
  const bool is_small = state.size <= kMostFileBytes && bytes_ + state.size <= kMostBytes;
  if (!S_ISREG(state.mode) || !is_small) return {};
  const auto opened = sys::open_beneath(directory, name, O_RDONLY);
  if (!opened) return {};
  auto bytes = bytes_of(opened.value().get(), state.size);
  if (!bytes) return {};
  bytes_ += bytes->size();
  return {FileContent::Kind::text, *std::move(bytes)};
}

Snapshot Looker::finish() && {
  std::ranges::stable_sort(found_.files, {}, &SeenFile::path);
  return std::move(found_);
}

}  // namespace bawn::handoff
