#include "validate/run_view.h"

#include <algorithm>

#include "base/text.h"
#include "validate/scope.h"

namespace bawn {
namespace {

bool is_moved(const ShownPlace& place) { return place.destination != place.source; }

// Where the host has a path of the run that lies in the place.
std::string source_of(std::string_view path, const ShownPlace& place) {
  const std::string_view rest = path.substr(place.destination.size());
  return concat(place.source == "/" && !rest.empty() ? "" : place.source, rest);
}

void add_grants(const std::vector<Grant>& grants, const PathLookup& host, std::vector<ShownPlace>& places) {
  for (const Grant& grant : grants) {
    Located located = host.locate(grant.path);
    if (located.kind == FileKind::missing || !located.trouble.empty()) continue;
    places.push_back({grant.at.empty() ? located.path : grant.at, located.path});
  }
}

}  // namespace

bool moves_grants(const Policy::Filesystem& filesystem) {
  const auto moves = [](const Grant& grant) { return !grant.at.empty(); };
  return std::any_of(filesystem.read.begin(), filesystem.read.end(), moves) ||
         std::any_of(filesystem.write.begin(), filesystem.write.end(), moves);
}

std::vector<ShownPlace> shown_places(const Policy& policy, const Located& workspace,
                                     const ValidationContext& context) {
  std::vector<ShownPlace> places;
  for (const std::string& tree : context.system) places.push_back({tree, tree});
  if (!workspace.path.empty()) places.push_back({workspace.path, workspace.path});
  add_grants(policy.filesystem.read, *context.lookup, places);
  add_grants(policy.filesystem.write, *context.lookup, places);
  for (const std::string& directory : context.search) {
    const bool covered = std::any_of(places.begin(), places.end(), [&](const ShownPlace& place) {
      return is_moved(place) && path_is_within(directory, place.destination);
    });
    if (!covered) places.push_back({directory, directory});
  }
  return places;
}

// One walk through the run's names; a place on it knows the file that the host has for it.
class RunView::Tree {
 public:
  struct Place {
    std::string path;
    Located located;
  };

  explicit Tree(const RunView& view) : view_(view) {}

  static Seen<Place> root() { return directory("/"); }

  [[nodiscard]] Seen<Place> look(const Place& above, const std::string& name) const {
    if (above.located.kind != FileKind::directory) return NothingThere{};
    std::string path = path_below(above.path, name);
    if (const ShownPlace* place = view_.place_of(path)) return on_host(path, source_of(path, *place));
    if (view_.leads_to_place(path)) return directory(std::move(path));
    if (view_.is_moved_away(path)) return NothingThere{};
    return on_host(path, path);
  }

  static Located found(Place place) { return std::move(place.located); }

 private:
  // Made for the run on the way to a place; the host may have something else there, a link even.
  static Seen<Place> directory(std::string path) {
    Located located{.path = path, .kind = FileKind::directory};
    return Place{std::move(path), std::move(located)};
  }

  // No link stands on the way to `source`: each name above it was looked at before.
  [[nodiscard]] Seen<Place> on_host(const std::string& path, const std::string& source) const {
    if (std::string text = view_.host_.link_text(source); !text.empty()) return LinkTo{std::move(text)};
    Located located = view_.host_.locate(source);
    if (!located.trouble.empty()) return Trouble{std::move(located.trouble)};
    if (located.path != source) return Trouble{concat(quote(path), " is a link that cannot be followed")};
    if (located.kind == FileKind::missing) return NothingThere{};
    located.path = path;
    if (path != source) located.moved_from = source;
    return Place{path, std::move(located)};
  }

  const RunView& view_;
};

RunView::RunView(const PathLookup& host, std::vector<ShownPlace> places)
    : host_(host), places_(std::move(places)) {
  std::stable_sort(places_.begin(), places_.end(), [](const ShownPlace& a, const ShownPlace& b) {
    return a.destination.size() > b.destination.size();
  });
}

Located RunView::locate(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos)
    return {.path = std::string(path), .trouble = "contains a NUL byte"};
  Tree tree(*this);
  Located located = PathWalk<Tree, Tree::Place>(tree, path).run();
  if (located.kind == FileKind::missing) located.moved_from = moved_from(located.path);
  for (PassedLink& link : located.links) {
    if (std::string on_host = moved_from(link.path); !on_host.empty()) link.path = std::move(on_host);
  }
  return located;
}

std::optional<std::string> RunView::head(const Located& file, std::size_t most) const {
  Located on_host = file;
  on_host.path = host_path(file);
  return host_.head(on_host, most);
}

std::string RunView::sha256(const Located& file) const {
  Located on_host = file;
  on_host.path = host_path(file);
  return host_.sha256(on_host);
}

const ShownPlace* RunView::place_of(std::string_view path) const {
  const auto place = std::find_if(places_.begin(), places_.end(), [&](const ShownPlace& each) {
    return path_is_within(path, each.destination);
  });
  return place == places_.end() ? nullptr : &*place;
}

std::string RunView::moved_from(std::string_view path) const {
  const ShownPlace* place = place_of(path);
  return place == nullptr || !is_moved(*place) ? "" : source_of(path, *place);
}

bool RunView::leads_to_place(std::string_view path) const {
  const bool not_the_hosts = is_moved_away(path);
  return std::any_of(places_.begin(), places_.end(), [&](const ShownPlace& place) {
    return (not_the_hosts || is_moved(place)) && path_is_within(place.destination, path);
  });
}

bool RunView::is_moved_away(std::string_view path) const {
  return std::any_of(places_.begin(), places_.end(), [&](const ShownPlace& place) {
    return is_moved(place) && path_is_within(path, place.source);
  });
}

}  // namespace bawn
