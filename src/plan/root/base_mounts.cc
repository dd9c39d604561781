#include "plan/root/base_mounts.h"

#include <array>
#include <string_view>

#include "host/system_paths.h"

namespace bawn {
namespace {

// These files of /proc describe the machine or the user, not the run. These list the user's keys.
constexpr std::array<std::string_view, 2> kOfTheUser = {"/proc/key-users", "/proc/keys"};

// The kernel's memory, its timers, and its use of each page. Only the host's root may open them.
constexpr std::array<std::string_view, 8> kOfTheMachine = {
    "/proc/kcore",       "/proc/timer_list",   "/proc/kpageflags", "/proc/kpagecount",
    "/proc/kpagecgroup", "/proc/pagetypeinfo", "/proc/slabinfo",   "/proc/vmallocinfo"};

// In /proc, a process that is not dumpable is owned by root of its user namespace. The kernel
// refuses most of init's files to that root, but it lists init's open descriptors, and before
// Linux 5.14 also their details.
constexpr std::array<std::string_view, 4> kOfInit = {"/proc/1/fd", "/proc/1/fdinfo",
                                                     "/proc/1/task/1/fd", "/proc/1/task/1/fdinfo"};

class BaseMounts {
 public:
  explicit BaseMounts(const BaseMountChoice& choice) : choice_(choice) {}

  std::vector<MountOp> run() && {
    mounts_.reserve(kMost);
    for (const std::string_view path : kShownTrees) add(MountOpKind::mirror, path);
    const std::size_t trees = mounts_.size();
    add_settings();
    add_devices();
    add_proc();
    add(MountOpKind::directory, "/run");
    if (choice_.private_tmp) {
      add_scratch("/tmp");
      add_scratch("/var/tmp");
    }
    if (choice_.programs_listed) forbid_programs(trees);
    return std::move(mounts_);
  }

 private:
  static constexpr std::size_t kMost = 64;

  // The first `trees` operations show the trees of the system. A store keeps programs and libraries
  // in the same directories, so its files can be mapped.
  void forbid_programs(std::size_t trees) {
    for (std::size_t i = 0; i < mounts_.size(); ++i) {
      if (!can_have_exec(mounts_[i].kind)) continue;
      const bool holds_libraries = i < trees && is_library_tree(mounts_[i].destination);
      mounts_[i].exec = holds_libraries ? MountExec::map : MountExec::none;
    }
  }

  void add(MountOpKind kind, std::string_view path) {
    mounts_.push_back(path_op(kind, path, "system"));
  }
  void add_device(MountOpKind kind, std::string_view path) {
    add(kind, path);
    mounts_.back().device = true;
  }
  void add_link(std::string_view path, std::string_view target) {
    mounts_.push_back(link_op(path, target, "system"));
  }
  void add_scratch(std::string_view path) { mounts_.push_back(scratch_op(path, "filesystem.tmp")); }
  template <class Paths>
  void hide(const Paths& paths) {
    for (const std::string_view path : paths) add(MountOpKind::hidden, path);
  }

  // Two that bawn writes itself, and the host's.
  void add_settings() {
    mounts_.push_back(
        file_op("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"));
    mounts_.push_back(file_op("/etc/hosts", "127.0.0.1 localhost bawn\n::1 localhost bawn\n"));
    for (const std::string_view path : kShownSettings) add(MountOpKind::mirror, path);
  }

  void add_devices() {
    for (const std::string_view path : kDevicePaths) add_device(MountOpKind::mirror, path);
    add_device(MountOpKind::terminals, "/dev/pts");
    add_link("/dev/ptmx", "pts/ptmx");
    add_link("/dev/fd", "/proc/self/fd");
    add_link("/dev/stdin", "/proc/self/fd/0");
    add_link("/dev/stdout", "/proc/self/fd/1");
    add_link("/dev/stderr", "/proc/self/fd/2");
    add_scratch("/dev/shm");
  }

  void add_proc() {
    add(MountOpKind::proc, "/proc");
    hide(kOfTheUser);
    if (choice_.host_root) hide(kOfTheMachine);
    if (choice_.inner_root) hide(kOfInit);
  }

  const BaseMountChoice& choice_;
  std::vector<MountOp> mounts_;
};

}  // namespace

std::vector<MountOp> base_mounts(const BaseMountChoice& choice) { return BaseMounts(choice).run(); }

}  // namespace bawn
