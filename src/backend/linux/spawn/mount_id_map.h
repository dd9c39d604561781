// The id map of an idmapped mount, as the kernel takes it: a user namespace.
//
// A child holds the namespace while its maps are written; it is killed and reaped by the
// destructor. The namespace itself lives as long as a mount uses it. Safe in any program and from
// any thread: the child raises no SIGCHLD, and a wait() of the caller's does not see it.
#pragma once

#include <memory>

#include "base/file_owner.h"
#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class MountIdMap {
 public:
  // On a mount with this map, files of `owner` belong to `user`, and what `user` makes there
  // belongs to `owner` on disk. Every other file keeps its owner, but for one of `user` itself,
  // which has none. Needs root (CAP_SETUID, CAP_SETGID, CAP_SETFCAP).
  [[nodiscard]] static Result<MountIdMap> make(const FileOwner& owner, const FileOwner& user);

  [[nodiscard]] int fd() const { return file_.get(); }  // borrowed

 private:
  struct Child;
  MountIdMap(std::shared_ptr<Child> child, Fd file)
      : child_(std::move(child)), file_(std::move(file)) {}

  std::shared_ptr<Child> child_;
  Fd file_;
};

}  // namespace bawn::linux_
