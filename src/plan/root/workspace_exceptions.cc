#include "plan/root/workspace_exceptions.h"

#include <algorithm>

#include "base/text.h"
#include "policy/policy.h"
#include "validate/scope.h"

namespace bawn {
namespace {

class ExceptionFinder {
 public:
  ExceptionFinder(const Policy& policy, const Verdict& verdict, const PathLookup& lookup)
      : policy_(policy), workspace_(verdict.workspace), lookup_(lookup), scope_(verdict.scope) {}

  WorkspaceExceptions run() && {
    for (const std::string& path : policy_.workspace.hide) hidden_.push_back(locate(path).path);
    for (const std::string& path : policy_.workspace.protect) protect(path);
    for (const std::string& path : policy_.workspace.hide) hide(path);
    return std::move(found_);
  }

 private:
  [[nodiscard]] Located locate(const std::string& path) const {
    return lookup_.locate(in_workspace(path, workspace_.path));
  }

  void refuse(std::string code, std::string subject, std::string message, std::string hint) {
    found_.violations.push_back(
        {std::move(code), std::move(subject), std::move(message), std::move(hint)});
  }

  [[nodiscard]] bool is_hidden(std::string_view path) const {
    return std::ranges::any_of(
        hidden_, [&](const std::string& hidden) { return path_is_within(path, hidden); });
  }

  void protect(const std::string& path) {
    Located target = locate(path);
    if (!is_inside(path, target, "workspace.protect") || leads_over_link(path, target, "protect"))
      return;
    if (target.kind == FileKind::missing) return found_.still_missing.push_back(target.path);
    if (!has_one_name(path, target, "workspace.protect")) return;
    if (!is_hidden(target.path)) found_.protect.push_back(std::move(target));
  }

  void hide(const std::string& path) {
    Located target = locate(path);
    if (!is_inside(path, target, "workspace.hide") || leads_over_link(path, target, "hide")) return;
    if (target.kind != FileKind::missing && has_one_name(path, target, "workspace.hide"))
      found_.hide.push_back(std::move(target));
  }

  // The command could replace such a link; then the next run would hide or protect another file.
  bool leads_over_link(const std::string& path, const Located& target, std::string_view deed) {
    if (scope_.writable_link(target).empty()) return false;
    refuse(
        "path.link", path,
        concat("workspace.", deed, " names ", quote(path), ", which leads over a symbolic link to ",
               quote(target.path), "; the link itself could be replaced by the command"),
        concat(deed, " ", quote(target.path), " instead"));
    return true;
  }

  // A mount covers one name of a file. The command could use its other hard links, which cannot be
  // found.
  bool has_one_name(const std::string& path, const Located& target, std::string_view key) {
    if (target.link_count <= 1) return true;
    refuse("path.hard_link", path,
           concat(key, " names ", quote(path), ", a file that has ", target.link_count,
                  " names (hard links); the command could use another of them"),
           concat("make it a file of its own: cp -p FILE NEW && mv NEW FILE, or take it out of ",
                  key));
    return false;
  }

  bool is_inside(const std::string& path, const Located& target, std::string_view key) {
    if (!target.error.empty()) {
      refuse("path.unknown", path,
             concat(key, " names ", quote(path), ", which cannot be looked at: ", target.error),
             concat("make it accessible, or take it out of ", key));
      return false;
    }
    const std::string& root = workspace_.path;
    if (!root.empty() && target.path != root && path_is_within(target.path, root)) return true;
    refuse("path.outside_scope", path,
           concat(key, " names ", quote(path), ", which is not below the workspace"),
           "name a path inside the workspace, relative to it or absolute");
    return false;
  }

  const Policy& policy_;
  const Located& workspace_;
  const PathLookup& lookup_;
  const Scope& scope_;
  std::vector<std::string> hidden_;
  WorkspaceExceptions found_;
};

}  // namespace

WorkspaceExceptions find_exceptions(const Policy& policy, const Verdict& verdict,
                                    const PathLookup& lookup) {
  return ExceptionFinder(policy, verdict, lookup).run();
}

std::string in_workspace(std::string_view path, std::string_view workspace) {
  return lexically_normal(path.starts_with('/') ? std::string(path) : concat(workspace, "/", path));
}

std::vector<std::string> directories_between(std::string_view workspace, std::string_view path) {
  std::vector<std::string> out;
  if (!path_is_within(path, workspace)) return out;
  for (std::size_t slash = path.find('/', workspace.size() + 1); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    out.emplace_back(path.substr(0, slash));
  }
  return out;
}

}  // namespace bawn
