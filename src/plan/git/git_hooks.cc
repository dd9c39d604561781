#include "plan/git/git_hooks.h"

#include <string_view>

#include "base/text.h"

namespace bawn {
namespace {

// Why nothing in a writable place can be protected; "" if it can.
std::string_view lack_of(const GitHooksInput& input) {
  if (input.tier == Tier::unconfined) return "there is no sandbox";
  switch (input.boundary) {
    case Boundary::landlock:
      return "tier b cannot except a path from its workspace";
    case Boundary::none:
    case Boundary::job:
      return "nothing checks the command's writes here";
    case Boundary::namespaces:
    case Boundary::profile:
      return "";
  }
  return "";
}

std::string why_not(const Located& hooks, const Scope& scope) {
  if (!hooks.error.empty()) return concat("it cannot be looked at: ", hooks.error);
  if (const std::string_view link = scope.writable_link(hooks); !link.empty())
    return concat("it was found by way of the link ", quote(link),
                  ", which the command could replace");
  const bool is_other = hooks.kind == FileKind::regular || hooks.kind == FileKind::other;
  return is_other ? "it is not a directory" : "";
}

// A mount on the hooks holds only as long as git finds them.
std::string why_not_named(std::string_view lack) {
  if (!lack.empty()) return std::string(lack);
  return "it is a file or a link that names the repository, and the command can replace it";
}

}  // namespace

GitHooksPlan plan_git_hooks(const GitDirectories& found, const GitHooksInput& input,
                            const Scope& scope) {
  GitHooksPlan plan;
  const std::string_view lack = lack_of(input);
  for (const Located& hooks : found.hooks) {
    if (!scope.can_change(hooks)) continue;
    if (input.mode == GitHooksMode::open) {
      plan.open.push_back(hooks.path);
    } else if (std::string why = lack.empty() ? why_not(hooks, scope) : std::string(lack);
               !why.empty()) {
      plan.unprotected.push_back({hooks.path, std::move(why)});
    } else if (hooks.kind == FileKind::missing) {
      plan.still_missing.push_back(hooks.path);
    } else {
      plan.protect.push_back({hooks, "workspace.git_hooks"});
    }
  }
  if (input.mode == GitHooksMode::open) return plan;
  for (const std::string& name : found.names)
    plan.unprotected.push_back({name, why_not_named(lack)});
  for (const Located& config : found.redirected) {
    if (lack.empty() && scope.can_change(config))
      plan.unprotected.push_back(
          {config.path, "core.hooksPath names other hooks, which are not protected"});
  }
  if (!found.unsearched.empty())
    plan.unprotected.push_back(
        {found.unsearched, "there are more repositories than are looked for"});
  return plan;
}

}  // namespace bawn
