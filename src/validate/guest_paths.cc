#include "validate/guest_paths.h"

#include <algorithm>

#include "base/text.h"
#include "policy/filesystem_policy.h"
#include "validate/scope.h"

namespace bawn {
namespace {

bool is_remapped(const GuestMapping& mapping) { return mapping.destination != mapping.source; }

// The host path of a guest path that lies in the mapping.
std::string source_of(std::string_view path, const GuestMapping& mapping) {
  const std::string_view rest = path.substr(mapping.destination.size());
  return concat(mapping.source == "/" && !rest.empty() ? "" : mapping.source, rest);
}

void add_grants(const std::vector<Grant>& grants, const PathLookup& host,
                std::vector<GuestMapping>& mappings) {
  for (const Grant& grant : grants) {
    Located located = host.locate(grant.path);
    if (located.kind == FileKind::missing || !located.error.empty()) continue;
    mappings.push_back({grant.at.empty() ? located.path : grant.at, located.path});
  }
}

}  // namespace

bool remaps_grants(const FilesystemPolicy& filesystem) {
  const auto remaps = [](const Grant& grant) { return !grant.at.empty(); };
  return std::any_of(filesystem.read.begin(), filesystem.read.end(), remaps) ||
         std::any_of(filesystem.write.begin(), filesystem.write.end(), remaps);
}

std::vector<GuestMapping> guest_mappings(const FilesystemPolicy& filesystem,
                                         const Located& workspace,
                                         const ValidationContext& context) {
  std::vector<GuestMapping> mappings;
  for (const std::string_view path : context.system)
    mappings.push_back({std::string(path), std::string(path)});
  if (!workspace.path.empty()) mappings.push_back({workspace.path, workspace.path});
  add_grants(filesystem.read, *context.lookup, mappings);
  add_grants(filesystem.write, *context.lookup, mappings);
  for (const std::string& directory : context.search) {
    const bool covered =
        std::any_of(mappings.begin(), mappings.end(), [&](const GuestMapping& mapping) {
          return is_remapped(mapping) && path_is_within(directory, mapping.destination);
        });
    if (!covered) mappings.push_back({directory, directory});
  }
  return mappings;
}

// Walks guest paths. Each entry holds the guest path and the file that the host has for it.
class GuestPaths::Tree {
 public:
  struct PathEntry {
    std::string path;
    Located located;
  };

  explicit Tree(const GuestPaths& guest_paths) : paths_(guest_paths) {}

  static Seen<PathEntry> root() { return directory("/"); }

  [[nodiscard]] Seen<PathEntry> look(const PathEntry& above, const std::string& name) const {
    if (above.located.kind != FileKind::directory) return NothingThere{};
    std::string path = path_below(above.path, name);
    if (const GuestMapping* mapping = paths_.mapping_of(path))
      return on_host(path, source_of(path, *mapping));
    if (paths_.leads_to_mapping(path)) return directory(std::move(path));
    if (paths_.is_remapped_away(path)) return NothingThere{};
    return on_host(path, path);
  }

  static Located found(PathEntry entry) { return std::move(entry.located); }

 private:
  // A directory that init makes on the way to a destination. The host may have something else at
  // this path, even a link.
  static Seen<PathEntry> directory(std::string path) {
    Located located{.path = path, .kind = FileKind::directory};
    return PathEntry{std::move(path), std::move(located)};
  }

  // No link lies on the way to `source`: the walk has looked at each name above it before.
  [[nodiscard]] Seen<PathEntry> on_host(const std::string& path, const std::string& source) const {
    if (std::string text = paths_.host_.link_text(source); !text.empty())
      return LinkTo{std::move(text)};
    Located located = paths_.host_.locate(source);
    if (!located.error.empty()) return LookupError{std::move(located.error)};
    if (located.path != source)
      return LookupError{concat(quote(path), " is a link that cannot be followed")};
    if (located.kind == FileKind::missing) return NothingThere{};
    located.path = path;
    if (path != source) located.separate_host_path = source;
    return PathEntry{path, std::move(located)};
  }

  const GuestPaths& paths_;
};

GuestPaths::GuestPaths(const PathLookup& host, std::vector<GuestMapping> mappings)
    : host_(host), mappings_(std::move(mappings)) {
  std::stable_sort(mappings_.begin(), mappings_.end(),
                   [](const GuestMapping& a, const GuestMapping& b) {
                     return a.destination.size() > b.destination.size();
                   });
}

Located GuestPaths::locate(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos)
    return {.path = std::string(path), .error = "contains a NUL byte"};
  Tree tree(*this);
  Located located = PathWalk<Tree, Tree::PathEntry>(tree, path).run();
  if (located.kind == FileKind::missing)
    located.separate_host_path = separate_host_path(located.path);
  for (PassedLink& link : located.links) {
    if (std::string on_host = separate_host_path(link.path); !on_host.empty())
      link.path = std::move(on_host);
  }
  return located;
}

std::optional<std::string> GuestPaths::head(const Located& file, std::size_t most) const {
  Located on_host = file;
  on_host.path = host_path(file);
  return host_.head(on_host, most);
}

std::string GuestPaths::sha256(const Located& file) const {
  Located on_host = file;
  on_host.path = host_path(file);
  return host_.sha256(on_host);
}

const GuestMapping* GuestPaths::mapping_of(std::string_view path) const {
  const auto mapping = std::find_if(
      mappings_.begin(), mappings_.end(),
      [&](const GuestMapping& each) { return path_is_within(path, each.destination); });
  return mapping == mappings_.end() ? nullptr : &*mapping;
}

std::string GuestPaths::separate_host_path(std::string_view path) const {
  const GuestMapping* mapping = mapping_of(path);
  return mapping == nullptr || !is_remapped(*mapping) ? "" : source_of(path, *mapping);
}

bool GuestPaths::leads_to_mapping(std::string_view path) const {
  const bool not_the_hosts = is_remapped_away(path);
  return std::any_of(mappings_.begin(), mappings_.end(), [&](const GuestMapping& mapping) {
    return (not_the_hosts || is_remapped(mapping)) && path_is_within(mapping.destination, path);
  });
}

bool GuestPaths::is_remapped_away(std::string_view path) const {
  return std::any_of(mappings_.begin(), mappings_.end(), [&](const GuestMapping& mapping) {
    return is_remapped(mapping) && path_is_within(path, mapping.source);
  });
}

}  // namespace bawn
