// Follows a path one component at a time, as a Unix kernel does, and notes each symbolic link.
//
// Used by the look-ups of Linux, POSIX and guest paths. A `Tree` supplies the file system:
//   struct PathEntry { std::string path; ... };  // an existing file, by its canonical path
//   Seen<PathEntry> root();
//   // Never follows a link. NothingThere if `directory` is no directory.
//   Seen<PathEntry> look(const PathEntry& directory, const std::string& name);
//   Located found(PathEntry entry);
//
// More lenient than the kernel in two cases that the kernel refuses: `file/..` is the directory of
// the file, and `missing/../x` is a missing `x`. Not for checking whether a path can be opened.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "validate/lookup.h"
#include "validate/scope.h"

namespace bawn {

// A symbolic link: its text, and who can have made it.
struct LinkTo {
  std::string target;
  LinkMaker maker = LinkMaker::administrator;
};
// `owner` is the uid of the link's owner, `caller` the uid of the caller. `writable` says whether
// the caller can replace the link, or a directory on the way to it.
[[nodiscard]] constexpr LinkMaker link_maker(std::uint64_t owner, std::uint64_t caller,
                                             bool writable) {
  if (owner != 0 && owner != caller) return LinkMaker::stranger;
  return writable ? LinkMaker::caller : LinkMaker::administrator;
}
// ENOENT, or ENOTDIR on the way.
struct NothingThere {};
// Any other failure; `why` becomes Located::error.
struct LookupError {
  std::string why;
};
// What Tree::look() found under one name.
template <class PathEntry>
using Seen = std::variant<PathEntry, LinkTo, NothingThere, LookupError>;

// "/a" and "b" -> "/a/b"; "/" and "b" -> "/b".
[[nodiscard]] inline std::string path_below(const std::string& directory, const std::string& name) {
  return concat(directory == "/" ? "" : directory, "/", name);
}

template <class Tree, class PathEntry>
// One walk; run() may be called once. `tree` is borrowed.
class PathWalk {
 public:
  PathWalk(Tree& tree, std::string_view path) : tree_(tree) { push_front(path); }

  Located run() && {
    if (!restart_at_root()) return failed();
    while (!pending_.empty()) {
      const std::string name = std::move(pending_.front());
      pending_.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        if (stack_.size() > 1) stack_.pop_back();
        continue;
      }
      Seen<PathEntry> seen = tree_.look(stack_.back(), name);
      if (std::holds_alternative<NothingThere>(seen)) return missing(name);
      if (const auto* link = std::get_if<LinkTo>(&seen))
        links_.push_back({path_below(here(), name), link->maker});
      if (!go_on(std::move(seen))) return failed();
    }
    return with_links(tree_.found(std::move(stack_.back())));
  }

 private:
  static constexpr std::size_t kMostLinks = 40;  // as Linux (MAXSYMLINKS); macOS stops at 32

  void push_front(std::string_view path) {
    const auto parts = split(path, '/');
    pending_.insert(pending_.begin(), parts.begin(), parts.end());
  }

  bool restart_at_root() {
    stack_.clear();
    return go_on(tree_.root());
  }

  bool go_on(Seen<PathEntry> seen) {
    if (auto* entry = std::get_if<PathEntry>(&seen)) {
      stack_.push_back(std::move(*entry));
      return true;
    }
    if (const auto* link = std::get_if<LinkTo>(&seen)) return follow(link->target);
    if (const auto* error = std::get_if<LookupError>(&seen)) why_ = error->why;
    return false;
  }

  bool follow(const std::string& target) {
    if (links_.size() > kMostLinks) {
      why_ = "too many links";
      return false;
    }
    if (target.starts_with('/') && !restart_at_root()) return false;
    push_front(target);
    return true;
  }

  [[nodiscard]] std::string here() const { return stack_.empty() ? "/" : stack_.back().path; }

  Located with_links(Located located) {
    located.links = std::move(links_);
    return located;
  }

  Located failed() { return with_links({.path = here(), .error = std::move(why_)}); }

  // The path at which a missing file would be created. Below a missing name there are no links, so
  // the rest of the path can be normalised by spelling.
  Located missing(const std::string& name) {
    std::string rest = path_below(here(), name);
    for (const std::string& part : pending_) rest += concat("/", part);
    return with_links({.path = lexically_normal(rest)});
  }

  Tree& tree_;
  std::deque<std::string> pending_;
  std::vector<PathEntry> stack_;
  std::vector<PassedLink> links_;
  std::string why_;
};

}  // namespace bawn
