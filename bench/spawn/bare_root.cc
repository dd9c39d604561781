#include "bench/spawn/bare_root.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

#include "backend/linux/init/kernel.h"
#include "backend/linux/seccomp/filter.h"
#include "host/probe.h"
#include "plan/root/setup_plan.h"
#include "policy/preset.h"

namespace bawn::bench {
namespace {

using init::Decimal;
using init::kernel;

constexpr unsigned kPrivate = 1U << 18;  // MS_PRIVATE
constexpr int kDetach = 2;               // MNT_DETACH

// Keeps the first error; all later steps are skipped.
class Builder {
 public:
  explicit Builder(const BareRoot& root) : root_(root) {}

  int build() {
    map_ids();
    bring_up_loopback();
    top_ = mounted("tmpfs");
    attach(top_, AT_FDCWD, "/");
    for (const MountOp& op : root_.mounts) make(op);
    bind(root_.workspace.c_str(), 0);
    for (const std::string& file : root_.files) bind(file.c_str(), MOUNT_ATTR_RDONLY);
    switch_root();
    filter();
    return error_;
  }

 private:
  long did(long answer) {
    if (answer < 0 && error_ == 0) error_ = static_cast<int>(-answer);
    return answer;
  }

  // Makes the system call, unless a step failed before.
  template <class... Arguments>
  long call(long number, Arguments... arguments) {
    return error_ != 0 ? -error_ : did(kernel(number, arguments...));
  }

  void write_file(const char* path, const char* text, std::size_t size) {
    const long file = call(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
    call(__NR_write, file, text, size);
    call(__NR_close, file);
  }

  // Maps the caller's id to itself.
  void write_map(const char* path, std::uint64_t id) {
    const Decimal number(id);
    const std::size_t length = std::strlen(number.text);
    std::array<char, 64> line{};
    std::memcpy(line.data(), number.text, length);
    line[length] = ' ';
    std::memcpy(line.data() + length + 1, number.text, length);
    std::memcpy(line.data() + 2 * length + 1, " 1", 2);
    write_file(path, line.data(), 2 * length + 3);
  }

  void map_ids() {
    write_file("/proc/self/setgroups", "deny", 4);
    write_map("/proc/self/uid_map", root_.uid);
    write_map("/proc/self/gid_map", root_.gid);
  }

  void bring_up_loopback() {
    ifreq request{};
    std::memcpy(request.ifr_name, "lo", 3);
    request.ifr_flags = IFF_UP;
    const long socket = call(__NR_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    call(__NR_ioctl, socket, SIOCSIFFLAGS, &request);
    call(__NR_close, socket);
  }

  int mounted(const char* type) {
    const long context = call(__NR_fsopen, type, FSOPEN_CLOEXEC);
    call(__NR_fsconfig, context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
    const long mount = call(__NR_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID);
    call(__NR_close, context);
    return static_cast<int>(mount);
  }

  void attach(int mount, int directory, const char* path) {
    call(__NR_move_mount, mount, "", directory, path, MOVE_MOUNT_F_EMPTY_PATH);
  }

  static const char* below_top(const char* path) { return path + 1; }

  // Errors are ignored: the directory may exist already, from an earlier mount.
  void make_parents(const char* path) const {
    std::array<char, PATH_MAX> parent{};
    const char* name = below_top(path);
    for (std::size_t i = 0; name[i] != 0 && i + 1 < parent.size(); ++i) {
      if (name[i] == '/') kernel(__NR_mkdirat, top_, parent.data(), 0755);
      parent[i] = name[i];
    }
  }

  void make_place(const char* path, bool directory) {
    make_parents(path);
    if (directory) {
      kernel(__NR_mkdirat, top_, below_top(path), 0755);
    } else {
      kernel(__NR_mknodat, top_, below_top(path), S_IFREG | 0444, 0);
    }
  }

  void mount_new(const char* type, const char* path) {
    make_place(path, true);
    const int mount = mounted(type);
    attach(mount, top_, below_top(path));
    call(__NR_close, mount);
  }

  void bind_onto(const char* source, const char* path, std::uint64_t attributes) {
    const long tree =
        call(__NR_open_tree, AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    mount_attr wanted{};
    wanted.attr_set = attributes | MOUNT_ATTR_NOSUID;
    wanted.propagation = kPrivate;
    call(__NR_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &wanted, sizeof wanted);
    attach(static_cast<int>(tree), top_, below_top(path));
    call(__NR_close, tree);
  }

  void bind(const char* path, std::uint64_t attributes) {
    struct stat found {};
    if (lstat(path, &found) != 0) return;
    if (S_ISLNK(found.st_mode)) return copy_link(path);
    make_place(path, S_ISDIR(found.st_mode));
    bind_onto(path, path, attributes);
  }

  void copy_link(const char* path) {
    std::array<char, PATH_MAX> target{};
    call(__NR_readlinkat, AT_FDCWD, path, target.data(), target.size() - 1);
    make_link(path, target.data());
  }

  void make_link(const char* path, const char* target) {
    make_parents(path);
    call(__NR_symlinkat, target, top_, below_top(path));
  }

  void make_file(const char* path, const std::string& text) {
    make_parents(path);
    const long file =
        call(__NR_openat, top_, below_top(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    call(__NR_write, file, text.data(), text.size());
    call(__NR_close, file);
  }

  void make_scratch(const char* path) {
    make_place(path, true);
    const long tree =
        call(__NR_open_tree, top_, below_top(path), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    attach(static_cast<int>(tree), top_, below_top(path));
    call(__NR_close, tree);
  }

  void hide(const char* path) {
    struct stat found {};
    if (fstatat(top_, below_top(path), &found, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (S_ISDIR(found.st_mode)) return mount_new("tmpfs", path);
    bind_onto("/dev/null", path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV);
  }

  void make(const MountOp& op) {
    const char* path = op.destination.c_str();
    switch (op.kind) {
      case MountOpKind::bind:
      case MountOpKind::mirror:
        return bind(path, MOUNT_ATTR_RDONLY);
      case MountOpKind::directory:
        return make_place(path, true);
      case MountOpKind::scratch:
        return make_scratch(path);
      case MountOpKind::link:
        return make_link(path, op.content.c_str());
      case MountOpKind::file:
        return make_file(path, op.content);
      case MountOpKind::proc:
        return mount_new("proc", path);
      case MountOpKind::terminals:
        return mount_new("devpts", path);
      case MountOpKind::hidden:
        return hide(path);
      case MountOpKind::program:
        return;
    }
  }

  void switch_root() {
    mount_attr sealed{};
    sealed.attr_set = MOUNT_ATTR_RDONLY;
    call(__NR_mount_setattr, top_, "", AT_EMPTY_PATH, &sealed, sizeof sealed);
    call(__NR_fchdir, top_);
    call(__NR_pivot_root, ".", ".");
    call(__NR_umount2, ".", kDetach);
    call(__NR_chdir, root_.workspace.c_str());
    call(__NR_close, top_);
  }

  void filter() {
    const sock_fprog program = {.len = static_cast<unsigned short>(root_.filter.size()),
                                .filter = const_cast<sock_filter*>(root_.filter.data())};
    call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  }

  const BareRoot& root_;
  int top_ = -1;
  int error_ = 0;
};

}  // namespace

BareRoot plan_bare_root(std::string workspace, std::vector<std::string> files) {
  const Policy policy = preset("workspace").value();
  const HostFacts host = probe_host();
  return {.uid = host.uid,
          .gid = host.gid,
          .mounts = plan_setup(policy, host).mounts,
          .workspace = std::move(workspace),
          .files = std::move(files),
          .filter = linux_::built_in_filter("default").value().built_in};
}

int enter_bare_root(const BareRoot& root) { return Builder(root).build(); }

}  // namespace bawn::bench
