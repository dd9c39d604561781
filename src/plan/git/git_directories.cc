#include "plan/git/git_directories.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace bawn {
namespace {

constexpr std::size_t kMostDirectories = 32;  // the look-up holds files of each one open
constexpr std::size_t kMostLooks = 256;       // for all roots together
constexpr std::size_t kMostPathBytes = 4096;
constexpr std::size_t kMostConfigBytes = 64UL * 1024;
constexpr int kDeepestModule = 4;  // the name of a submodule can have slashes

class GitFinder {
 public:
  explicit GitFinder(const PathLookup& host) : host_(host) {}

  void look_at_root(const std::string& root) {
    const Located entry = look(concat(root, "/.git"));
    if (entry.kind == FileKind::regular || !entry.links.empty())
      found.names.push_back(concat(root, "/.git"));
    if (entry.kind == FileKind::directory) return add(entry);
    if (entry.kind == FileKind::regular) {
      if (const auto named = path_in(entry, "gitdir: ")) add(look(*named));
    } else if (is_repository(root)) {
      add(look(root));
    }
  }

  GitDirectories found;

 private:
  // Missing, once the bound is reached.
  Located look(const std::string& path) {
    if (looks_ == kMostLooks) end_at(path);
    if (!found.unsearched.empty()) return {.path = path};
    ++looks_;
    return host_.locate(path);
  }

  void end_at(const std::string& path) {
    if (found.unsearched.empty()) found.unsearched = path;
  }

  [[nodiscard]] FileKind kind_of(const std::string& path) { return look(path).kind; }

  [[nodiscard]] bool is_repository(const std::string& path) {
    return kind_of(concat(path, "/HEAD")) == FileKind::regular &&
           kind_of(concat(path, "/objects")) == FileKind::directory;
  }

  // The path that a file consists of, behind `prefix`. A relative one starts at the file.
  [[nodiscard]] std::optional<std::string> path_in(const Located& file,
                                                   std::string_view prefix) const {
    const auto text = host_.head(file, kMostPathBytes);
    if (!text || !text->starts_with(prefix)) return std::nullopt;
    std::string_view path = std::string_view(*text).substr(prefix.size());
    path = path.substr(0, path.find('\n'));
    if (path.empty()) return std::nullopt;
    if (path.starts_with('/')) return std::string(path);
    return concat(file.path.substr(0, file.path.rfind('/')), "/", path);
  }

  [[nodiscard]] bool is_known(const Located& directory) const {
    return std::ranges::find(found.all, directory.path) != found.all.end();
  }

  void add(const Located& directory) {
    if (directory.kind != FileKind::directory || is_known(directory)) return;
    if (found.all.size() >= kMostDirectories) return end_at(directory.path);
    found.all.push_back(directory.path);
    const Located common = look(concat(directory.path, "/commondir"));
    if (common.kind == FileKind::regular) {  // a worktree has the hooks of its repository
      if (const auto named = path_in(common, "")) add(look(*named));
      return;
    }
    Located hooks = look(concat(directory.path, "/hooks"));
    if (!found.unsearched.empty()) return;
    found.hooks.push_back(std::move(hooks));
    note_redirection(look(concat(directory.path, "/config")));
    add_modules(look(concat(directory.path, "/modules")), kDeepestModule);
    const Located worktrees = look(concat(directory.path, "/worktrees"));
    for (const std::string& path : entries_of(worktrees)) add(look(path));
  }

  // By the word alone: a comment that has it is taken for a setting.
  void note_redirection(Located config) {
    if (config.kind != FileKind::regular) return;
    const auto text = host_.head(config, kMostConfigBytes);
    if (text && ascii_lower(*text).find("hookspath") != std::string::npos)
      found.redirected.push_back(std::move(config));
  }

  void add_modules(const Located& modules, int depth) {
    if (depth == 0) return;
    for (const std::string& path : entries_of(modules)) {
      if (!found.unsearched.empty()) return;
      if (is_repository(path))
        add(look(path));
      else
        add_modules(look(path), depth - 1);
    }
  }

  [[nodiscard]] std::vector<std::string> entries_of(const Located& directory) const {
    if (directory.kind != FileKind::directory) return {};
    std::vector<std::string> paths = host_.names_in(directory, kMostLooks);
    for (std::string& name : paths) name = concat(directory.path, "/", name);
    return paths;
  }

  const PathLookup& host_;
  std::size_t looks_ = 0;
};

}  // namespace

GitDirectories find_git_directories(std::span<const std::string> roots, const PathLookup& host) {
  GitFinder finder(host);
  for (const std::string& root : roots) finder.look_at_root(root);
  return std::move(finder.found);
}

}  // namespace bawn
