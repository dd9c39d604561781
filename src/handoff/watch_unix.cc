#include <fcntl.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <span>
#include <utility>

#include "base/text.h"
#include "handoff/compare.h"
#include "handoff/file_state_unix.h"
#include "handoff/git_config.h"
#include "handoff/link_target.h"
#include "handoff/look_unix.h"
#include "handoff/tree_walk_unix.h"
#include "handoff/watch.h"
#include "sys/open.h"
#include "sys/open_beneath.h"
#include "validate/scope.h"

namespace bawn::handoff {
namespace {

// The clock from which file systems take their times: a file that changes from now on has this time
// or a later one.
std::int64_t file_time() {
#ifdef CLOCK_REALTIME_COARSE
  constexpr clockid_t kClock = CLOCK_REALTIME_COARSE;
#else
  constexpr clockid_t kClock = CLOCK_REALTIME;
#endif
  timespec now{};
  static_cast<void>(::clock_gettime(kClock, &now));
  return nanoseconds(now);
}

}  // namespace

Watch Watch::begin(HandoffPlan plan) {
  Watch watch(std::move(plan));
  watch.since_ns_ = file_time();
  for (const HandoffPlan::Root& root : watch.plan_.roots) {
    auto opened = sys::open(root.path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!opened) opened = sys::open(root.path.c_str(), sys::kSearch | O_NOFOLLOW);
    watch.roots_.push_back(opened ? std::move(opened).value() : Fd());
  }
  watch.before_ = watch.look(nullptr);
  watch.hooks_ = watch.hooks_in(watch.before_);
  if (!watch.hooks_.empty()) watch.before_ = watch.look(nullptr);
  return watch;
}

// Of work trees at the roots. A path that is absolute or leads out is not one that the look
// follows.
std::vector<HandoffPlan::GitDirectory> Watch::hooks_in(const Snapshot& found) const {
  std::vector<HandoffPlan::GitDirectory> hooks;
  for (const auto& [root, path] : plan_.git) {
    const SeenFile* file = find_file(found, concat(plan_.roots[root].prefix, path, "/config"));
    if (path != ".git" || file == nullptr || file->content.kind != FileContent::Kind::text)
      continue;
    for (const GitSetting& setting : read_git_config(file->content.text).settings) {
      std::string_view named = setting.value;
      if (key_of(setting) != "core.hookspath" || named.empty()) continue;
      while (named.starts_with("./")) named.remove_prefix(2);
      while (named.ends_with('/')) named.remove_suffix(1);
      const bool is_name = !named.empty() && named != "." && !named.starts_with('/');
      if (is_name && !leads_out(named, "", plan_.roots[root].path))
        hooks.push_back({root, std::string(named)});
    }
  }
  return hooks;
}

Snapshot Watch::look(const Snapshot* before) const {
  Looker looker(before, since_ns_);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (roots_[i])
      looker.look({.directory = roots_[i].get(), .prefix = plan_.roots[i].prefix});
    else
      looker.miss(plan_.roots[i].path, "it could not be opened before the run");
  }
  for (const auto& [root, path] : plan_.git) {
    if (!roots_[root]) continue;
    looker.look({.directory = roots_[root].get(),
                 .table = NameTable::git_directory,
                 .prefix = plan_.roots[root].prefix,
                 .path = path});
  }
  for (const auto& [root, path] : hooks_) {
    looker.look({.directory = roots_[root].get(),
                 .table = NameTable::git_hooks,
                 .prefix = plan_.roots[root].prefix,
                 .path = path});
  }
  if (!plan_.unsearched.empty())
    looker.miss(plan_.unsearched, "repositories from here on: there are too many");
  return std::move(looker).finish();
}

std::vector<std::string> Watch::git_below(std::size_t root) const {
  std::vector<std::string> paths;
  for (const HandoffPlan::GitDirectory& each : plan_.git) {
    if (each.root == root) paths.push_back(each.path);
  }
  return paths;
}

bool Watch::lies_in_another(std::size_t root) const {
  const std::string& path = plan_.roots[root].path;
  return std::ranges::any_of(plan_.roots, [&](const HandoffPlan::Root& other) {
    return other.path != path && path_is_within(path, other.path);
  });
}

std::vector<Handoff> Watch::finish() {
  std::vector<Handoff> found = compare(before_, look(&before_));
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (!roots_[i] || lies_in_another(i)) continue;
    const auto known = git_below(i);
    auto walked = walk_tree({.root = roots_[i].get(),
                             .path = plan_.roots[i].path,
                             .prefix = plan_.roots[i].prefix,
                             .since_ns = since_ns_,
                             .known_git = known});
    const std::size_t named = found.size();
    std::ranges::copy_if(walked, std::back_inserter(found), [&](const Handoff& each) {
      const auto first = std::span(found).first(named);
      return std::ranges::find(first, each.path, &Handoff::path) == first.end();
    });
  }
  return found;
}

}  // namespace bawn::handoff
