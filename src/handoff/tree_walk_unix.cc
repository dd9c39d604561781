#include "handoff/tree_walk_unix.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
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
    struct stat status {};
    if (!directory || ::fstat(directory.value().get(), &status) != 0) return;
    if (status.st_dev != device_) return;  // another file system: it may be slow or hang
    const bool has_changed = state_of(status).changed_ns >= input_.since_ns;
    const auto names = sys::list_directory(directory.value().get(), kMostNames - names_ + 1);
    if (!names) return;
    ++directories_;
    names_ += names.value().entries.size();
    if (has_changed) look_at_repository(directory.value().get(), path, names.value());
    for (const auto& [name, type] : names.value().entries) {
      if (is_over()) return;
      look_at(directory.value().get(), path, name, has_changed ? kLook : type);
    }
  }

  void look_at(int directory, const std::string& above, const std::string& name,
               unsigned char type) {
    std::string path = above.empty() ? name : concat(above, "/", name);
    if (type == DT_UNKNOWN) {
      ++looks_;
      struct stat status {};
      if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
      if (!S_ISDIR(status.st_mode)) return look_at_file(directory, above, name, path, status);
      type = DT_DIR;
    }
    if (type != DT_DIR || name == kSkipped) return;
    if (name == ".git") return look_at_git(path);
    ahead_.push_back(std::move(path));
  }

  void look_at_file(int directory, const std::string& above, const std::string& name,
                    const std::string& path, const struct stat& status) {
    if (state_of(status).changed_ns < input_.since_ns) return;
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

  // A directory with these names is a bare repository: git obeys its configuration and hooks. At
  // the root the table of names has it.
  void look_at_repository(int directory, const std::string& path, const sys::DirectoryList& list) {
    const auto has = [&](std::string_view name) {
      return std::ranges::find(list.entries, name, &sys::DirectoryEntry::name) !=
             list.entries.end();
    };
    if (path.empty() || !has("HEAD") || !has("objects") || !has("refs") || is_known(path)) return;
    struct stat head {};
    const bool is_new = ::fstatat(directory, "HEAD", &head, AT_SYMLINK_NOFOLLOW) == 0 &&
                        state_of(head).changed_ns >= input_.since_ns;
    if (is_new) tell(shown(path), "git", "is a bare repository, whose configuration git obeys");
    look_at_git(path);
  }

  [[nodiscard]] bool is_known(std::string_view path) const {
    return std::ranges::find(input_.known_git, path) != input_.known_git.end();
  }

  // There is nothing to compare with: what the files have that changed is told.
  void look_at_git(const std::string& path) {
    if (is_known(path)) return;
    const auto directory = sys::open_beneath(input_.root, path, O_RDONLY | O_DIRECTORY);
    if (!directory) return;
    Looker looker(nullptr, 0);
    looker.look({.directory = directory.value().get(),
                 .table = NameTable::git_directory,
                 .prefix = concat(shown(path), "/")});
    Snapshot now = std::move(looker).finish();
    std::erase_if(now.files,
                  [&](const SeenFile& file) { return file.state.changed_ns < input_.since_ns; });
    std::ranges::move(compare({}, now), std::back_inserter(found_));
  }

  const WalkInput& input_;
  dev_t device_ = 0;
  std::deque<std::string> ahead_;  // relative to the root
  std::size_t looks_ = 0;
  std::size_t names_ = 0;
  std::size_t directories_ = 0;
  std::vector<Handoff> found_;
};

}  // namespace

std::vector<Handoff> walk_tree(const WalkInput& input) { return TreeWalk(input).run(); }

}  // namespace bawn::handoff
