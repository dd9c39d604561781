// Follows a path one component at a time, the way a Unix kernel does. For look-ups on a real file
// system.
//
// A `Tree` opens what the walk comes by:
//   struct PathEntry { std::string path; ... };  // something that is there, by its canonical path
//   Seen<PathEntry> root();
//   // Never follows a link.
//   Seen<PathEntry> look(const PathEntry& directory, const std::string& name);
//   Located found(PathEntry entry);
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

struct LinkTo {
  std::string target;
  LinkMaker maker = LinkMaker::administrator;
};
// `owner` is the link's, `writable` whether the caller can write to a directory above it.
[[nodiscard]] constexpr LinkMaker link_maker(std::uint64_t owner, std::uint64_t caller,
                                             bool writable) {
  if (owner != 0 && owner != caller) return LinkMaker::stranger;
  return writable ? LinkMaker::caller : LinkMaker::administrator;
}
struct NothingThere {};
struct LookupError {
  std::string why;
};
template <class PathEntry>
using Seen = std::variant<PathEntry, LinkTo, NothingThere, LookupError>;

[[nodiscard]] inline std::string path_below(const std::string& directory, const std::string& name) {
  return concat(directory == "/" ? "" : directory, "/", name);
}

template <class Tree, class PathEntry>
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
  static constexpr std::size_t kMostLinks = 40;  // as Linux; macOS stops at 32

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

  // What is left of the path after the first missing name; nothing there can be a link.
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
