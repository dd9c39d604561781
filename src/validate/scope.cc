#include "validate/scope.h"

#include <algorithm>

#include "base/text.h"
#include "policy/filesystem_policy.h"

namespace bawn {
namespace {

bool lies_in_any(std::string_view path, const std::vector<std::string>& directories) {
  return std::any_of(directories.begin(), directories.end(),
                     [&](const std::string& directory) { return path_is_within(path, directory); });
}

void add_unless_present(std::vector<std::string>& list, const std::string& path) {
  if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
}

// A failed look-up says nothing about the target, so the entry must not widen the scope.
bool is_known(const Located& located) {
  return located.kind != FileKind::missing && located.error.empty() && !located.path.empty();
}

void add_grants(const std::vector<Grant>& grants, const PathLookup& lookup,
                std::vector<std::string>& list, std::vector<std::string>& list_on_host) {
  for (const Grant& grant : grants) {
    const Located located = lookup.locate(grant.path);
    if (!is_known(located)) continue;
    add_unless_present(list, grant.at.empty() ? located.path : grant.at);
    add_unless_present(list_on_host, located.path);
  }
}

}  // namespace

std::string lexically_normal(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> kept;
  for (const std::string_view component : split(path, '/')) {
    if (component.empty() || component == ".") continue;
    const bool up = component == "..";
    if (up && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!up || !absolute) {
      kept.push_back(component);
    }
  }
  std::string out;
  for (const std::string_view component : kept) {
    if (absolute || !out.empty()) out += '/';
    out += component;
  }
  if (out.empty()) return absolute ? "/" : ".";
  return out;
}

bool Scope::can_read(std::string_view canonical_path) const {
  return lies_in_any(canonical_path, readable);
}

bool Scope::can_see(const Located& file) const {
  return lies_in_any(host_path(file), readable_on_host);
}

bool Scope::can_change(const Located& file) const {
  return lies_in_any(host_path(file), writable_on_host);
}

std::string_view Scope::writable_link(const Located& file) const {
  for (const PassedLink& link : file.links) {
    if (lies_in_any(link.path, writable_on_host)) return link.path;
  }
  return "";
}

Scope make_scope(WorkspaceMode mode, const FilesystemPolicy& grants, const Located& workspace,
                 const PathLookup& lookup) {
  Scope scope;
  if (is_known(workspace)) scope.workspace = workspace.path;
  if (is_known(workspace) && mode != WorkspaceMode::read_only) {
    scope.writable.push_back(workspace.path);
    scope.writable_on_host.push_back(workspace.path);
  }
  add_grants(grants.write, lookup, scope.writable, scope.writable_on_host);

  scope.readable = scope.writable;
  scope.readable_on_host = scope.writable_on_host;
  if (is_known(workspace)) {
    add_unless_present(scope.readable, workspace.path);
    add_unless_present(scope.readable_on_host, workspace.path);
  }
  add_grants(grants.read, lookup, scope.readable, scope.readable_on_host);
  return scope;
}

}  // namespace bawn
