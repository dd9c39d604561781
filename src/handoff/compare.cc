#include "handoff/compare.h"

#include <algorithm>

#include "handoff/git_key.h"
#include "handoff/scripts.h"

namespace bawn::handoff {
namespace {

using Kind = FileContent::Kind;

class Comparison {
 public:
  explicit Comparison(const Snapshot& before) : before_(before) {}

  void look_at(const SeenFile& now) {
    const SeenFile* was = find_file(before_, now.path);
    if (was == nullptr ? is_older(now) : !has_changed(*was, now)) return;
    const bool has_text = now.content.kind == Kind::text;
    const bool had_text = was == nullptr || was->content.kind == Kind::text;
    const bool is_same_link = was == nullptr || was->content.link == now.content.link;
    const bool has_parts =
        now.row->reading != Reading::content && has_text && had_text && is_same_link;
    if (!has_parts) return tell(now, "", now.row->effect, was == nullptr);
    const std::string_view old = was == nullptr ? "" : std::string_view(was->content.text);
    if (now.row->reading == Reading::git_config) return tell_git_keys(now, old, was == nullptr);
    if (scripts_differ(old, now.content.text)) tell(now, "", now.row->effect, was == nullptr);
  }

  std::vector<Handoff> found;

 private:
  // Of a file that was not read, the state alone says it.
  static bool has_changed(const SeenFile& was, const SeenFile& now) {
    const bool is_known = was.content.kind != Kind::unknown && now.content.kind != Kind::unknown;
    return is_known ? was.content != now.content
                    : was.state != now.state || was.target != now.target;
  }

  // A full snapshot lacks files that were there: the time says which ones.
  [[nodiscard]] bool is_older(const SeenFile& now) const {
    return before_.is_full && changed_ns(now) < before_.taken_ns;
  }

  void tell(const SeenFile& file, std::string_view key, std::string_view effect, bool is_new) {
    found.push_back({.path = file.path,
                     .key = std::string(key),
                     .obeyed_by = std::string(file.row->obeyed_by),
                     .effect = std::string(effect),
                     .change = is_new ? HandoffChange::is_new : HandoffChange::changed});
  }

  void tell_git_keys(const SeenFile& file, std::string_view old_text, bool is_new) {
    const GitConfig old = read_git_config(old_text);
    const GitConfig now = read_git_config(file.content.text);
    for (const GitKeyChange& change : changed_git_keys(old, now))
      tell(file, change.key, change.effect, change.is_new);
    if (!now.complete) tell(file, "", "has lines that bawn cannot read as git does", is_new);
  }

  const Snapshot& before_;
};

}  // namespace

const SeenFile* find_file(const Snapshot& snapshot, std::string_view path) {
  const auto found = std::ranges::lower_bound(snapshot.files, path, {}, &SeenFile::path);
  return found == snapshot.files.end() || found->path != path ? nullptr : &*found;
}

std::vector<Handoff> compare(const Snapshot& before, const Snapshot& after) {
  Comparison comparison(before);
  for (const SeenFile& file : after.files) comparison.look_at(file);
  for (const Unseen& unseen : after.unseen) {
    comparison.found.push_back({.path = unseen.path,
                                .key = "",
                                .obeyed_by = "",
                                .effect = unseen.why,
                                .change = HandoffChange::not_looked_at});
  }
  return std::move(comparison.found);
}

}  // namespace bawn::handoff
