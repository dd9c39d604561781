#include "handoff/scripts.h"

#include <nlohmann/json.hpp>

namespace bawn::handoff {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMembers[] = {
    "bin",         "config",           "eslintConfig", "gitHooks",   "husky",      "jest",
    "lint-staged", "packageManager",   "plugins",      "pnpm",       "pre-commit", "prettier",
    "scripts",     "simple-git-hooks", "tasks",        "workspaces",
};

// Comparing a deeper tree would need more stack than there may be.
constexpr int kDeepest = 32;

Json parsed(std::string_view text) {
  if (text.empty()) return Json::object();
  const auto keep = [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; };
  return Json::parse(text, keep, false);
}

}  // namespace

bool scripts_differ(std::string_view before, std::string_view after) {
  if (before == after) return false;
  const Json old = parsed(before);
  const Json now = parsed(after);
  if (!old.is_object() || !now.is_object()) return true;
  for (const std::string_view member : kMembers) {
    if (old.value(member, Json()) != now.value(member, Json())) return true;
  }
  return false;
}

}  // namespace bawn::handoff
