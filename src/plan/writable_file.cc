#include "plan/writable_file.h"

#include <algorithm>

#include "base/text.h"
#include "validate/scope.h"

namespace bawn {
namespace {

bool is_below_grant(const Plan& plan, std::string_view path) {
  return std::any_of(plan.files.begin(), plan.files.end(), [&](const FileGrant& grant) {
    return grant.access == FileAccess::write && path_is_within(path, host_path(grant.target));
  });
}

bool is_writable_bind(const RootPart& part) { return part.kind == RootPartKind::bind && part.writable; }

// Where the command finds it, if this part shows it.
std::string guest_path(const RootPart& part, std::string_view path) {
  const std::string_view below = path.substr(host_path(part.source).size());
  return concat(part.destination == "/" ? "" : part.destination, below);
}

// A later part covers an earlier one.
const RootPart* visible_at(const RootPlan& root, std::string_view guest) {
  const RootPart* visible = nullptr;
  for (const RootPart& part : root.parts) {
    if (path_is_within(guest, part.destination)) visible = &part;
  }
  return visible;
}

bool is_shown_writable(const RootPlan& root, std::string_view path) {
  return std::any_of(root.parts.begin(), root.parts.end(), [&](const RootPart& part) {
    return is_writable_bind(part) && path_is_within(path, host_path(part.source)) &&
           visible_at(root, guest_path(part, path)) == &part;
  });
}

}  // namespace

bool may_write(const Plan& plan, std::string_view path) {
  return plan.tier == Tier::c ? is_shown_writable(plan.root, path) : is_below_grant(plan, path);
}

}  // namespace bawn
