// The base mounts: the MountOps that every tier c root has, independent of the request.
//
// Plain constexpr data. plan/namespace_plan.h turns it into the Plan's MountOps.
// Do not add anything that depends on a policy beyond BaseMountFor.
#pragma once

#include <array>
#include <string_view>

#include "host/system_facts.h"
#include "plan/mount_op.h"

namespace bawn {

// The commands for which a base mount is made.
enum class BaseMountFor {
  everybody,
  private_tmp,  // a policy with filesystem.tmp: private
  host_root,    // the command has host uid 0, whatever its uid inside
  inner_root,   // the command has uid 0 inside, and init is pid 1
};

struct BaseMount {
  MountOpKind kind = MountOpKind::mirror;
  std::string_view destination;
  std::string_view content{};  // content of a file, or target of a link
  BaseMountFor is_for = BaseMountFor::everybody;

  [[nodiscard]] constexpr bool writable() const { return kind == MountOpKind::scratch; }
  [[nodiscard]] constexpr bool device() const {
    return destination.starts_with("/dev/") &&
           (kind == MountOpKind::mirror || kind == MountOpKind::terminals);
  }
  // The policy key that the mount comes from, as MountOp::origin.
  [[nodiscard]] constexpr std::string_view origin() const {
    return kind == MountOpKind::scratch ? "filesystem.tmp" : "system";
  }
};

// Written by bawn: the host's files would disclose its users and its network.
inline constexpr std::array<BaseMount, 2> kWrittenSettings = {{
    {MountOpKind::file, "/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"},
    {MountOpKind::file, "/etc/hosts", "127.0.0.1 localhost bawn\n::1 localhost bawn\n"},
}};

inline constexpr std::array<BaseMount, 24> kOwnPlaces = {{
    {MountOpKind::mirror, "/dev/tty"},
    {MountOpKind::terminals, "/dev/pts"},
    {MountOpKind::link, "/dev/ptmx", "pts/ptmx"},
    {MountOpKind::link, "/dev/fd", "/proc/self/fd"},
    {MountOpKind::link, "/dev/stdin", "/proc/self/fd/0"},
    {MountOpKind::link, "/dev/stdout", "/proc/self/fd/1"},
    {MountOpKind::link, "/dev/stderr", "/proc/self/fd/2"},
    {MountOpKind::scratch, "/dev/shm"},
    {MountOpKind::proc, "/proc"},
    // These files of /proc describe the machine or the user, not the run: the user's keys; the
    // kernel's timers and memory, and its use of each page. Except for the keys, only the host's
    // root may open them.
    {MountOpKind::hidden, "/proc/key-users"},
    {MountOpKind::hidden, "/proc/keys"},
    {MountOpKind::hidden, "/proc/kcore", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/timer_list", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/kpageflags", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/kpagecount", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/kpagecgroup", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/pagetypeinfo", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/slabinfo", "", BaseMountFor::host_root},
    {MountOpKind::hidden, "/proc/vmallocinfo", "", BaseMountFor::host_root},
    // In /proc, a process that is not dumpable is owned by root of its user namespace. The kernel
    // refuses most of init's files to that root, but it lists init's open descriptors, and before
    // Linux 5.14 also their details.
    {MountOpKind::hidden, "/proc/1/fd", "", BaseMountFor::inner_root},
    {MountOpKind::hidden, "/proc/1/fdinfo", "", BaseMountFor::inner_root},
    {MountOpKind::hidden, "/proc/1/task/1/fd", "", BaseMountFor::inner_root},
    {MountOpKind::hidden, "/proc/1/task/1/fdinfo", "", BaseMountFor::inner_root},
    {MountOpKind::directory, "/run"},
}};

inline constexpr std::array<BaseMount, 2> kPrivateTmp = {{
    {MountOpKind::scratch, "/tmp", "", BaseMountFor::private_tmp},
    {MountOpKind::scratch, "/var/tmp", "", BaseMountFor::private_tmp},
}};

// In the order in which init makes them.
inline constexpr auto kBaseMounts = [] {
  std::array<BaseMount, kRootSystemPaths.size() + kWrittenSettings.size() +
                            kRootSettingPaths.size() + kRootDevicePaths.size() + kOwnPlaces.size() +
                            kPrivateTmp.size()>
      mounts{};
  auto* next = mounts.data();
  const auto add_mirrors = [&](const auto& paths) {
    for (const std::string_view path : paths) *next++ = {MountOpKind::mirror, path};
  };
  const auto add = [&](const auto& more) {
    for (const BaseMount& op : more) *next++ = op;
  };
  add_mirrors(kRootSystemPaths);
  add(kWrittenSettings);
  add_mirrors(kRootSettingPaths);
  add_mirrors(kRootDevicePaths);
  add(kOwnPlaces);
  add(kPrivateTmp);
  return mounts;
}();

// Selects the base mounts for one run.
struct BaseMountChoice {
  bool private_tmp = false;
  bool host_root = false;
  bool inner_root = false;

  [[nodiscard]] constexpr bool takes(const BaseMount& op) const {
    switch (op.is_for) {
      case BaseMountFor::private_tmp:
        return private_tmp;
      case BaseMountFor::host_root:
        return host_root;
      case BaseMountFor::inner_root:
        return inner_root;
      case BaseMountFor::everybody:
        break;
    }
    return true;
  }
};

}  // namespace bawn
