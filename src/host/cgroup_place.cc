#include "host/cgroup_place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "host/setup_error.h"
#include "sys/control_file.h"

namespace bawn {
namespace {

CgroupFileSystem mounted_file_system(const std::string& directory) {
  struct statfs status {};
  if (statfs(directory.c_str(), &status) != 0) return CgroupFileSystem::none;
  if (status.f_type == CGROUP2_SUPER_MAGIC) return CgroupFileSystem::v2;
  return status.f_type == CGROUP_SUPER_MAGIC ? CgroupFileSystem::v1 : CgroupFileSystem::none;
}

int current_write_problem(const std::string& path) {
  return faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// With such an error the directory may or may not be usable.
bool is_unclear(const Error& error) {
  return judge_cgroup(error.sys_errno) != SetupError::impossible;
}

Result<void> require_writable(const CgroupView& view, const std::string& path) {
  const int problem = view.write_problem(path);
  if (problem == 0) return {};
  return judged(system_error(problem, quote(path)), judge_cgroup(problem));
}

// ---- Lists of controllers -----------------------------------------------------------------------

CgroupControllers missing_from(const CgroupControllers& have, const CgroupControllers& wanted) {
  CgroupControllers missing;
  for (const CgroupController one : wanted) {
    if (!holds(have, one)) missing.push_back(one);
  }
  return missing;
}

std::string names_of(const CgroupControllers& controllers) {
  std::vector<std::string> names;
  for (const CgroupController one : controllers) names.emplace_back(to_string(one));
  return enumerated(names);
}

// Parses "cpu memory pids\n"; controllers that bawn does not use are dropped.
Result<CgroupControllers> read_controllers(const std::string& file) {
  BAWN_ASSIGN(const std::string text, sys::read_control(AT_FDCWD, file));
  CgroupControllers known;
  std::string_view line = text;
  if (line.ends_with('\n')) line.remove_suffix(1);
  const std::vector<std::string_view> words = split(line, ' ');
  for (const CgroupController one :
       {CgroupController::memory, CgroupController::pids, CgroupController::cpu}) {
    if (std::ranges::find(words, to_string(one)) != words.end()) known.push_back(one);
  }
  return known;
}

// ---- The caller's cgroups -----------------------------------------------------------------------

// A line of /proc/self/cgroup: "4:memory:/a/b", or "0::/a/b" for v2.
struct OwnCgroup {
  std::vector<std::string_view> controllers;  // one empty string for v2
  std::string_view path;
};

std::vector<OwnCgroup> parse_own_cgroups(std::string_view text) {
  std::vector<OwnCgroup> own;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    own.push_back(
        {split(line.substr(first + 1, second - first - 1), ','), line.substr(second + 1)});
  }
  return own;
}

std::optional<std::string_view> own_path(const std::vector<OwnCgroup>& own,
                                         std::string_view controller) {
  for (const OwnCgroup& one : own) {
    const auto& names = one.controllers;
    if (std::ranges::find(names, controller) != names.end()) return one.path;
  }
  return std::nullopt;
}

// A path with ".." lies outside the cgroup namespace and cannot be reached: nullopt.
std::optional<std::string> below(const std::string& mount, std::string_view path) {
  if (!path.starts_with('/')) return std::nullopt;
  for (const std::string_view component : split(path, '/')) {
    if (component == "..") return std::nullopt;
  }
  return path == "/" ? mount : concat(mount, path);
}

// ---- Version 2 ----------------------------------------------------------------------------------

std::optional<std::string> unified_mount(const CgroupView& view) {
  for (const std::string& candidate : {view.mount, view.mount + "/unified"}) {
    if (view.file_system(candidate) == CgroupFileSystem::v2) return candidate;
  }
  return std::nullopt;
}

// Only the root cgroup may hold processes and enable controllers for its children. It is the only
// cgroup without a cgroup.events file.
bool is_system_root(const std::string& directory) {
  return access((directory + "/cgroup.events").c_str(), F_OK) != 0;
}

Result<bool> holds_processes(const std::string& directory) {
  BAWN_ASSIGN(const std::string processes,
              sys::read_control(AT_FDCWD, directory + "/cgroup.procs"));
  return !processes.empty();
}

Result<CgroupParent> with_controllers(const CgroupView& view, const std::string& directory,
                                      const CgroupControllers& wanted) {
  CgroupParent parent{.directory = directory, .controllers = wanted};
  BAWN_ASSIGN(const CgroupControllers enabled,
              read_controllers(directory + "/cgroup.subtree_control"));
  parent.to_enable = missing_from(enabled, wanted);
  if (parent.to_enable.empty()) return parent;
  BAWN_ASSIGN(const CgroupControllers offered, read_controllers(directory + "/cgroup.controllers"));
  const CgroupControllers lacking = missing_from(offered, wanted);
  if (!lacking.empty()) {
    return unsupported_error(concat(quote(directory), " has no controller ", names_of(lacking)));
  }
  BAWN_ASSIGN(const bool is_taken, holds_processes(directory));
  if (!is_system_root(directory) && is_taken) {
    return unsupported_error(concat(quote(directory),
                                    " holds processes, so its children cannot have ",
                                    names_of(parent.to_enable)));
  }
  BAWN_TRY(require_writable(view, directory + "/cgroup.subtree_control"));
  return parent;
}

// Making a child needs write access to the directory. Moving a process needs write access to
// cgroup.procs of the nearest common ancestor as well; for the caller's cgroup and its ancestors
// that is this directory.
Result<CgroupParent> judged_unified(const CgroupView& view, const std::string& directory,
                                    const CgroupControllers& wanted) {
  BAWN_TRY(require_writable(view, directory));
  BAWN_TRY(require_writable(view, directory + "/cgroup.procs"));
  return with_controllers(view, directory, wanted);
}

std::string parent_of(const std::string& directory) {
  return directory.substr(0, directory.rfind('/'));
}

// Prefers the nearest directory whose controllers are enabled already, even if a nearer one could
// enable them.
Result<CgroupPlace> nearest_unified(const CgroupView& view, const std::string& mount,
                                    const std::string& own, const CgroupControllers& wanted) {
  std::optional<CgroupParent> changeable;
  std::string reasons;
  for (std::string directory = own;; directory = parent_of(directory)) {
    auto parent = judged_unified(view, directory, wanted);
    if (!parent && is_unclear(parent.error())) return parent.error();
    if (!parent) {
      reasons += concat(reasons.empty() ? "" : "; ", parent.error().message);
    } else if (parent.value().to_enable.empty()) {
      return CgroupPlace{CgroupVersion::v2, {std::move(parent).value()}};
    } else if (!changeable) {
      changeable = std::move(parent).value();
    }
    if (directory.size() <= mount.size()) break;
  }
  if (changeable) return CgroupPlace{CgroupVersion::v2, {*std::move(changeable)}};
  return unsupported_error(concat("no cgroup v2 directory for runs: ", reasons));
}

// The longest common path prefix that ends at a '/'.
std::string common_ancestor(const std::string& one, const std::string& other) {
  std::string ancestor = one;
  while (!ancestor.empty() && other != ancestor && !other.starts_with(ancestor + "/")) {
    ancestor = parent_of(ancestor);
  }
  return ancestor;
}

Result<CgroupPlace> chosen_unified(const CgroupView& view, const std::string& own,
                                   const std::string& directory, const CgroupControllers& wanted) {
  BAWN_ASSIGN(CgroupParent parent, judged_unified(view, directory, wanted));
  const auto gate = require_writable(view, common_ancestor(own, directory) + "/cgroup.procs");
  if (!gate) {
    return gate.error().within(
        concat("processes cannot be moved from ", quote(own), " to ", quote(directory)));
  }
  return CgroupPlace{CgroupVersion::v2, {std::move(parent)}};
}

Result<CgroupPlace> find_unified(const CgroupView& view, const std::vector<OwnCgroup>& own,
                                 const CgroupControllers& wanted,
                                 const std::optional<std::string>& chosen) {
  const auto mount = unified_mount(view);
  if (!mount) return unsupported_error(concat("cgroup v2 is not mounted at ", quote(view.mount)));
  const auto path = own_path(own, "");
  const auto directory = path ? below(*mount, *path) : std::nullopt;
  if (!directory) {
    return unsupported_error(
        concat("this process is in no cgroup v2 that can be seen below ", quote(*mount)));
  }
  return chosen ? chosen_unified(view, *directory, *chosen, wanted)
                : nearest_unified(view, *mount, *directory, wanted);
}

// ---- Version 1 ----------------------------------------------------------------------------------

// The path of `chosen` below its hierarchy: "/runs" for "/sys/fs/cgroup/memory/runs".
Result<std::string> chosen_path(const CgroupView& view, const std::string& chosen) {
  const std::string prefix = view.mount + "/";
  if (!chosen.starts_with(prefix)) {
    return invalid_error(concat(quote(chosen), " is not below a hierarchy of cgroup v1, as '",
                                prefix, "memory/runs' would be"));
  }
  const std::size_t end = chosen.find('/', prefix.size());
  return end == chosen.npos ? "/" : chosen.substr(end);
}

Result<CgroupParent> legacy_parent(const CgroupView& view, const std::vector<OwnCgroup>& own,
                                   CgroupController controller,
                                   const std::optional<std::string>& chosen) {
  const std::string mount = concat(view.mount, "/", to_string(controller));
  if (view.file_system(mount) != CgroupFileSystem::v1) {
    return unsupported_error(concat("controller ", to_string(controller),
                                    " of cgroup v1 is not mounted at ", quote(mount)));
  }
  const auto path = chosen ? chosen : own_path(own, to_string(controller));
  const auto directory = path ? below(mount, *path) : std::nullopt;
  if (!directory) {
    return unsupported_error(
        concat("this process is in no cgroup that can be seen below ", quote(mount)));
  }
  BAWN_TRY(require_writable(view, *directory));
  return CgroupParent{.directory = *directory, .controllers = {controller}};
}

Result<CgroupPlace> find_legacy(const CgroupView& view, const std::vector<OwnCgroup>& own,
                                const CgroupControllers& wanted,
                                const std::optional<std::string>& chosen) {
  std::optional<std::string> path;
  if (chosen) {
    BAWN_ASSIGN(path, chosen_path(view, *chosen));
  }
  CgroupPlace place{.version = CgroupVersion::v1};
  if (chosen && wanted.empty()) {
    BAWN_TRY(require_writable(view, *chosen));
    place.parents.push_back({.directory = *chosen, .controllers = {}, .to_enable = {}});
  }
  for (const CgroupController controller : wanted) {
    BAWN_ASSIGN(CgroupParent parent, legacy_parent(view, own, controller, path));
    place.parents.push_back(std::move(parent));
  }
  return place;
}

// Paths are compared as strings, so a final '/' is removed.
std::optional<std::string> without_final_slash(std::optional<std::string> path) {
  while (path && path->size() > 1 && path->ends_with('/')) path->pop_back();
  return path;
}

Error no_cgroup_at(const CgroupView& view, const std::string& chosen) {
  if (view.write_problem(chosen) == ENOENT) {
    return invalid_error(
        concat(quote(chosen),
               " does not exist; only the last directory of limits.cgroup_parent is made, and only "
               "with limits.total_memory_bytes or limits.total_processes"));
  }
  const bool unified = view.file_system(view.mount) == CgroupFileSystem::v2;
  return invalid_error(concat(quote(chosen), " is not a directory of a cgroup file system",
                              unified ? ""
                                      : concat("; in cgroup v1 one lies below a controller, as '",
                                               view.mount, "/memory/runs' does")));
}

}  // namespace

std::string_view to_string(CgroupController controller) {
  switch (controller) {
    case CgroupController::memory:
      return "memory";
    case CgroupController::pids:
      return "pids";
    case CgroupController::cpu:
      return "cpu";
  }
  return "";
}

CgroupView CgroupView::of_this_process() {
  return {.file_system = mounted_file_system, .write_problem = current_write_problem};
}

Result<CgroupPlace> find_cgroup_place(const CgroupView& view, const CgroupControllers& wanted,
                                      const std::optional<std::string>& chosen_parent) {
  BAWN_ASSIGN(const std::string text, sys::read_control(AT_FDCWD, view.own_cgroups));
  const std::vector<OwnCgroup> own = parse_own_cgroups(text);
  const auto chosen = without_final_slash(chosen_parent);
  const CgroupFileSystem chosen_kind = chosen ? view.file_system(*chosen) : CgroupFileSystem::none;
  if (chosen && chosen_kind == CgroupFileSystem::none) return no_cgroup_at(view, *chosen);
  if (chosen_kind == CgroupFileSystem::v1) return find_legacy(view, own, wanted, chosen);
  auto unified = find_unified(view, own, wanted, chosen);
  if (unified || chosen || wanted.empty() || is_unclear(unified.error())) return unified;
  auto legacy = find_legacy(view, own, wanted, std::nullopt);
  if (legacy || is_unclear(legacy.error())) return legacy;
  return unsupported_error(concat(unified.error().message, "; ", legacy.error().message));
}

MemoryCgroups memory_cgroups_from(const CgroupView& view, CgroupVersion version,
                                  std::string directory) {
  MemoryCgroups found{.version = version, .directories = {}};
  const std::string mount = version == CgroupVersion::v1 ? view.mount + "/memory" : view.mount;
  while (directory == mount || directory.starts_with(mount + "/")) {
    found.directories.push_back(directory);
    directory = parent_of(directory);
  }
  return found;
}

// A controller is attached either to a v1 hierarchy or to the v2 hierarchy, never to both.
MemoryCgroups find_memory_cgroups(const CgroupView& view) {
  const auto text = sys::read_control(AT_FDCWD, view.own_cgroups);
  if (!text) return {};
  const std::vector<OwnCgroup> own = parse_own_cgroups(text.value());
  const auto legacy = own_path(own, "memory");
  const std::string mount = legacy ? view.mount + "/memory" : view.mount;
  const auto path = legacy ? legacy : own_path(own, "");
  const auto directory = path ? below(mount, *path) : std::nullopt;
  if (!directory) return {};
  return memory_cgroups_from(view, legacy ? CgroupVersion::v1 : CgroupVersion::v2, *directory);
}

}  // namespace bawn
