#include "plan/writable_file.h"

#include <algorithm>

#include "base/text.h"
#include "validate/scope.h"

namespace bawn {
namespace {

bool is_below_grant(const Plan& plan, std::string_view path) {
  return std::ranges::any_of(plan.files(), [&](const FileGrant& grant) {
    return grant.access == FileAccess::write && path_is_within(path, host_path(grant.target));
  });
}

bool is_writable_bind(const MountOp& op) { return op.kind == MountOpKind::bind && op.writable; }

// The guest path at which this mount shows the host path.
std::string guest_path(const MountOp& op, std::string_view path) {
  const std::string_view below = path.substr(host_path(op.source).size());
  return concat(op.destination == "/" ? "" : op.destination, below);
}

// A later mount covers an earlier one.
const MountOp* visible_at(const RootPlan& root, std::string_view guest) {
  const MountOp* visible = nullptr;
  for (const MountOp& op : root.mounts) {
    if (path_is_within(guest, op.destination)) visible = &op;
  }
  return visible;
}

// The mount through which the command can write to the file; null if there is none.
const MountOp* shown_writable(const RootPlan& root, std::string_view path) {
  const auto shows = [&](const MountOp& op) {
    return is_writable_bind(op) && path_is_within(path, host_path(op.source)) &&
           visible_at(root, guest_path(op, path)) == &op;
  };
  const auto found = std::ranges::find_if(root.mounts, shows);
  return found == root.mounts.end() ? nullptr : &*found;
}

}  // namespace

bool may_write(const Plan& plan, std::string_view path) {
  const auto* namespaces = plan.part<NamespacesPlan>();
  return namespaces != nullptr ? shown_writable(namespaces->root, path) != nullptr
                               : is_below_grant(plan, path);
}

std::uint32_t writing_user(const NamespacesPlan& namespaces, std::string_view path) {
  const bool mapped = namespaces.user.origin == HostIdOrigin::range;
  const MountOp* shown = mapped ? shown_writable(namespaces.root, path) : nullptr;
  return shown != nullptr ? shown->owner.uid : namespaces.user.host_uid;
}

}  // namespace bawn
