#include "handoff/tree_walk_unix.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "base/text.h"
#include "handoff/compare.h"
#include "handoff/file_state_unix.h"
#include "handoff/link_target.h"
#include "handoff/look_unix.h"
#include "sys/directory.h"
#include "sys/open_beneath.h"

namespace bawn::handoff {
namespace {

constexpr std::size_t kMostLooks = 2000;        // at entries of directories that have changed
constexpr std::size_t kMostNames = 10'000;      // in all directories
constexpr std::size_t kMostDirectories = 1000;  // that are listed
constexpr unsigned char kLook = DT_UNKNOWN;     // ask the kernel what it is
constexpr std::string_view kSkipped = "node_modules";
constexpr std::string_view kGit = ".git";

// The path below the root of the directory that the text of a file `.git` names. None if it leads
// out. `above` is where the file lies, free of links.
std::optional<std::string> named_repository(std::string_view text, std::string_view above) {
  constexpr std::string_view kBegin = "gitdir: ";
  if (!text.starts_with(kBegin)) return std::nullopt;
  text.remove_prefix(kBegin.size());
  if (text.starts_with('/')) return std::nullopt;
  std::vector<std::string_view> parts;
  for (const std::string_view whole : {above, text}) {
    for (const std::string_view part : split(whole, '/')) {
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.push_back(part);
        continue;
      }
      if (parts.empty()) return std::nullopt;
      parts.pop_back();
    }
  }
  std::string path;
  for (const std::string_view part : parts) path += concat(path.empty() ? "" : "/", part);
  return path;
}

class TreeWalk {
 public:
  explicit TreeWalk(const WalkInput& input) : input_(input) {
    struct stat status {};
    if (::fstat(input.root, &status) == 0) device_ = status.st_dev;
  }

  // Level by level, so that a deep directory does not use up the bound.
  std::vector<Handoff> run() && {
    ahead_.emplace_back();
    for (; !ahead_.empty() && !is_over(); ahead_.pop_front()) list(ahead_.front());
    if (is_over()) {
      const std::string rest = ahead_.empty() ? "." : shown(ahead_.front());
      tell(rest.empty() ? "." : rest, "",
           "links and set-id bits from here on: there are too many entries",
           HandoffChange::not_looked_at);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_over() const {
    return looks_ > kMostLooks || names_ > kMostNames || directories_ > kMostDirectories;
  }

  [[nodiscard]] std::string shown(std::string_view path) const {
    return concat(input_.prefix, path);
  }

  void tell(std::string path, std::string_view obeyed_by, std::string effect,
            HandoffChange change = HandoffChange::is_new) {
    found_.push_back({.path = std::move(path),
                      .key = "",
                      .obeyed_by = std::string(obeyed_by),
                      .effect = std::move(effect),
                      .change = change});
  }

  void list(const std::string& path) {
    const auto directory = sys::open_beneath(input_.root, path, O_RDONLY | O_DIRECTORY);
    if (!directory) return look_at_unreadable(path, directory.error());
    struct stat status {};
    if (::fstat(directory.value().get(), &status) != 0) return;
    if (status.st_dev != device_) return;  // another file system: it may be slow or hang
    const bool has_changed = state_of(status).changed_ns >= input_.since_ns;
    auto names = sys::list_directory(directory.value().get(), kMostNames - names_ + 1);
    if (!names) return miss(path, names.error().message);
    ++directories_;
    names_ += names.value().entries.size();
    if (is_repository(path, names.value())) {
      look_at_repository(directory.value().get(), path);
      if (concat("/", path).find("/.git/") != std::string::npos) return;  // its objects are many
    }
    // Before all other names: a flood of them must not hide it.
    look_at(directory.value().get(), path, std::string(kGit), kind_of(kGit, names.value()));
    for (const auto& [name, type] : names.value().entries) {
      if (is_over()) return;
      if (name != kGit) look_at(directory.value().get(), path, name, has_changed ? kLook : type);
    }
  }

  // The type for look_at(). A name that is not there gets one that is passed over; one that the
  // bound may have left out is asked for.
  static unsigned char kind_of(std::string_view name, const sys::DirectoryList& list) {
    const auto entry = std::ranges::find(list.entries, name, &sys::DirectoryEntry::name);
    if (entry == list.entries.end()) return list.complete ? DT_WHT : DT_UNKNOWN;
    return entry->type == DT_DIR ? DT_DIR : DT_UNKNOWN;
  }

  void miss(const std::string& path, std::string why) {
    tell(shown(path.empty() ? "." : path), "", std::move(why), HandoffChange::not_looked_at);
  }

  // Once for a directory, although each of its names has the same error.
  void miss_names(const std::string& path, int error) {
    const std::string told = shown(path.empty() ? "." : path);
    if (error != ENOENT && (found_.empty() || found_.back().path != told))
      miss(path, concat("look at its names: ", errno_text(error)));
  }

  // Its `.git` may be within reach all the same. A directory of another user that was like this
  // before the run is no news.
  void look_at_unreadable(const std::string& path, const Error& error) {
    if (error.sys_errno == ENOENT) return;
    const auto directory = sys::open_beneath(input_.root, path, sys::kSearch);
    struct stat status {};
    const bool is_known = directory && ::fstat(directory.value().get(), &status) == 0;
    const bool is_foreign =
        is_known && status.st_uid != ::geteuid() && state_of(status).changed_ns < input_.since_ns;
    if (!is_foreign) miss(path, error.message);
    if (is_known) look_at(directory.value().get(), path, std::string(kGit), DT_UNKNOWN);
  }

  void look_at(int directory, const std::string& above, const std::string& name,
               unsigned char type) {
    std::string path = above.empty() ? name : concat(above, "/", name);
    if (type == DT_UNKNOWN) {
      ++looks_;
      struct stat status {};
      if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return miss_names(above, errno);
      if (!S_ISDIR(status.st_mode)) return look_at_file(directory, above, name, path, status);
      type = DT_DIR;
    }
    if (type != DT_DIR || name == kSkipped) return;
    if (name == kGit) return look_at_git(path);
    ahead_.push_back(std::move(path));
  }

  void look_at_file(int directory, const std::string& above, const std::string& name,
                    const std::string& path, const struct stat& status) {
    if (name == kGit && S_ISREG(status.st_mode)) look_at_named(directory, above);
    if (state_of(status).changed_ns < input_.since_ns) return;
    if (name == kGit && !above.empty()) return tell(shown(path), "git", "names a repository");
    if (S_ISLNK(status.st_mode)) {
      std::array<char, 4096> target{};
      const ssize_t length = ::readlinkat(directory, name.c_str(), target.data(), target.size());
      if (length <= 0) return;
      const std::string_view text(target.data(), static_cast<std::size_t>(length));
      if (leads_out(text, above, input_.path))
        tell(shown(path), "programs that follow links", concat("leads out, to ", text));
    } else if (S_ISREG(status.st_mode) && (status.st_mode & (S_ISUID | S_ISGID)) != 0) {
      tell(shown(path), "every user who may run it",
           (status.st_mode & S_ISUID) != 0 ? "is set-user-id" : "is set-group-id");
    }
  }

  // A directory with these names is a bare repository, or the part of one that a worktree has: git
  // obeys its configuration and hooks. At the root the table of names has it.
  static bool is_repository(const std::string& path, const sys::DirectoryList& list) {
    const auto has = [&](std::string_view name) {
      return std::ranges::find(list.entries, name, &sys::DirectoryEntry::name) !=
             list.entries.end();
    };
    return !path.empty() && has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
  }

  void look_at_repository(int directory, const std::string& path) {
    struct stat head {};
    const bool is_new = !is_known(path) &&
                        ::fstatat(directory, "HEAD", &head, AT_SYMLINK_NOFOLLOW) == 0 &&
                        state_of(head).changed_ns >= input_.since_ns;
    if (is_new) tell(shown(path), "git", "is a bare repository, whose configuration git obeys");
    look_at_git(path);
  }

  [[nodiscard]] bool is_known(std::string_view path) const {
    return std::ranges::find(input_.known_git, path) != input_.known_git.end();
  }

  // The repository that a file `.git` names, if it lies below the root.
  void look_at_named(int directory, const std::string& above) {
    const auto file = sys::open_beneath(directory, kGit, O_RDONLY);
    if (!file) return miss(concat(above, above.empty() ? "" : "/", kGit), file.error().message);
    std::array<char, 4096> bytes{};
    const ssize_t length = ::pread(file.value().get(), bytes.data(), bytes.size(), 0);
    if (length <= 0) return;
    const std::string_view text(bytes.data(), static_cast<std::size_t>(length));
    const auto path = named_repository(text.substr(0, text.find('\n')), above);
    if (path && !path->empty()) look_at_git(*path);
  }

  // There is nothing to compare with: what the files have that changed is told.
  void look_at_git(const std::string& path) {
    if (std::ranges::find(looked_at_, path) != looked_at_.end()) return;
    looked_at_.push_back(path);
    for (const std::string_view below : {"/modules", "/worktrees"}) {
      std::string held = concat(path, below);
      if (sys::open_beneath(input_.root, held, sys::kSearch)) ahead_.push_back(std::move(held));
    }
    if (is_known(path)) return;
    Looker looker(nullptr, 0);
    looker.look({.directory = input_.root,
                 .table = NameTable::git_directory,
                 .prefix = input_.prefix,
                 .path = path});
    Snapshot now = std::move(looker).finish();
    std::erase_if(now.files,
                  [&](const SeenFile& file) { return changed_ns(file) < input_.since_ns; });
    std::ranges::move(compare({}, now), std::back_inserter(found_));
  }

  const WalkInput& input_;
  dev_t device_ = 0;
  std::deque<std::string> ahead_;  // relative to the root
  std::size_t looks_ = 0;
  std::size_t names_ = 0;
  std::size_t directories_ = 0;
  std::vector<std::string> looked_at_;  // directories of repositories
  std::vector<Handoff> found_;
};

}  // namespace

std::vector<Handoff> walk_tree(const WalkInput& input) { return TreeWalk(input).run(); }

}  // namespace bawn::handoff
