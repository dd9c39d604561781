// The mounts of every root of tier c, known before the request is, as plain data: it can be laid
// out by the compiler, for a program that has not begun yet (linux/early_setup.h).
// plan/namespace_plan makes the Plan's mounts of it.
#pragma once

#include <array>
#include <string_view>

#include "host/system_facts.h"
#include "plan/mount_op.h"

namespace bawn {

enum class BaseMountFor {
  everybody,
  private_tmp,  // a policy with filesystem.tmp: private
  host_root,    // a command that is the host's root, whoever it is inside
  inner_root,   // a command that is root inside, and sees init as process 1
};

struct BaseMount {
  MountOpKind kind = MountOpKind::mirror;
  std::string_view destination;
  std::string_view content{};  // of a file; target of a link
  BaseMountFor is_for = BaseMountFor::everybody;

  [[nodiscard]] constexpr bool writable() const { return kind == MountOpKind::scratch; }
  [[nodiscard]] constexpr bool device() const {
    return destination.starts_with("/dev/") &&
           (kind == MountOpKind::mirror || kind == MountOpKind::terminals);
  }
  // The policy's key that it comes from.
  [[nodiscard]] constexpr std::string_view origin() const {
    return kind == MountOpKind::scratch ? "filesystem.tmp" : "system";
  }
};

// What the host's files would tell about its users and its network is written anew.
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
    // Some of /proc is not of the run but of the machine or of the user: the names of the user's
    // keys; the timers and the memory of the kernel, and what it uses each page for. All but the
    // keys only the host's root may open.
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
    // A process that is not dumpable belongs to the root of its user namespace in /proc. Most of it
    // the kernel refuses to that root all the same; the lists of open files it shows, and what they
    // are before Linux 5.14.
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

// In the order in which they are made.
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

// Who the base mounts are chosen for.
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
