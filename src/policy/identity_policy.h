// The part of a policy about who the command is.
#pragma once

#include <cstdint>
#include <optional>

namespace bawn {

// The user and process ids of the command. It has no capability in any case.
struct IdentityPolicy {
  bool as_root = false;  // the command sees itself as root
  // The uid and gid that the host sees; empty: the caller's. Another one needs a caller that is
  // root.
  std::optional<std::uint64_t> uid;
  std::optional<std::uint64_t> gid;
  // The caller's subordinate ids (/etc/subuid, /etc/subgid) are mapped inside, too.
  bool id_ranges = false;
  // The command is process 1 of the pid namespace that it sees, as an init system expects.
  bool as_pid_1 = false;
  bool operator==(const IdentityPolicy&) const = default;
};

}  // namespace bawn
