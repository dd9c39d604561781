#include "bench/spawn/peer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>

#include "backend/linux/seccomp/filter.h"
#include "base/text.h"
#include "bench/spawn/crun_bundle.h"
#include "host/probe.h"
#include "host/system_paths.h"
#include "plan/root/setup_plan.h"
#include "policy/policy.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::bench {
namespace {

using Words = std::vector<std::string>;

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

bool is_below(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) && path.substr(directory.size()).starts_with('/');
}

// bawn's seccomp filter as a file, so that other launchers do not load a cheaper one.
Result<std::shared_ptr<Fd>> filter_file() {
  const auto bytes = std::as_bytes(linux_::built_in_filter("default").value().built_in);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  BAWN_ASSIGN(const Fd file, sys::sealed_memory_file("filter", text));
  // posix_spawn closes descriptor kFilterFd before it opens the filter there, so this descriptor
  // must have another number.
  BAWN_ASSIGN(const int above, sys::checked("fcntl", [&] {
                return fcntl(file.get(), F_DUPFD_CLOEXEC, kFilterFd + 1);
              }));
  return std::make_shared<Fd>(above);
}

// If /bin and the like are links into /usr, makes the links; otherwise binds the directories.
Words bwrap_system_directories() {
  Words words = {"--ro-bind", "/usr", "/usr"};
  for (const std::string path : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::array<char, PATH_MAX> target{};
    struct stat found {};
    if (readlink(path.c_str(), target.data(), target.size() - 1) > 0) {
      append(words, {"--symlink", target.data(), path});
    } else if (lstat(path.c_str(), &found) == 0) {
      append(words, {"--ro-bind", path, path});
    }
  }
  return words;
}

// What bawn's root has in addition: settings of /etc, no keys in /proc, a home and the usual names
// in /var.
Words bwrap_settings() {
  std::vector<std::string> settings(kShownSettings.begin(), kShownSettings.end());
  append(settings, {"/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts"});
  Words words;
  for (const std::string& path : settings) {
    if (access(path.c_str(), R_OK) == 0) append(words, {"--ro-bind", path, path});
  }
  for (const MountOp& op : plan_setup(Policy{}, probe_host()).mounts) {
    struct stat found {};
    if (op.kind != MountOpKind::hidden || stat(op.destination.c_str(), &found) != 0) continue;
    append(words, S_ISDIR(found.st_mode) ? Words{"--tmpfs", op.destination}
                                         : Words{"--ro-bind", "/dev/null", op.destination});
  }
  append(words, {"--dir", "/run", "--symlink", "/run", "/var/run", "--dir", "/var/tmp"});
  append(words, {"--tmpfs", "/home/user"});
  return words;
}

Result<LaunchLine> bwrap_with(const std::string& path, const BenchSetup& setup, const Words& more) {
  BAWN_ASSIGN(const std::shared_ptr<Fd> filter, filter_file());
  Words argv = {path, "--unshare-all", "--die-with-parent", "--new-session"};
  append(argv, bwrap_system_directories());
  append(argv, {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"});
  append(argv, {"--bind", setup.workspace, setup.workspace, "--chdir", setup.workspace});
  for (const std::string& file : extra_files(setup)) append(argv, {"--ro-bind", file, file});
  append(argv, more);
  append(argv, {"--seccomp", std::to_string(kFilterFd), "--", setup.command});
  return LaunchLine{.argv = argv, .filter = filter->get(), .holds = filter};
}

Result<LaunchLine> bwrap(const std::string& path, const BenchSetup& setup) {
  return bwrap_with(path, setup, {});
}

Result<LaunchLine> bwrap_same_view(const std::string& path, const BenchSetup& setup) {
  return bwrap_with(path, setup, bwrap_settings());
}

Result<LaunchLine> unshare(const std::string& path, const BenchSetup& setup) {
  return LaunchLine{.argv = {path, "--map-root-user", "--mount", "--pid", "--fork", "--kill-child",
                             "--net", "--ipc", "--uts", "--cgroup", "--mount-proc", "--",
                             setup.command}};
}

Result<LaunchLine> firejail(const std::string& path, const BenchSetup& setup) {
  return LaunchLine{.argv = {path, "--quiet", "--noprofile", "--net=none", "--private-tmp",
                             "--private-dev", "--caps.drop=all", "--nonewprivs", "--seccomp", "--",
                             setup.command}};
}

Result<LaunchLine> crun(const std::string& path, const BenchSetup& setup) {
  BAWN_ASSIGN(const std::shared_ptr<const CrunBundle> bundle, CrunBundle::create(setup));
  return LaunchLine{.argv = {path, "--cgroup-manager=disabled", concat("--root=", bundle->state()),
                             "run", concat("--bundle=", bundle->path()), "bawn-bench-"},
                    .numbered = true,
                    .holds = bundle};
}

Result<LaunchLine> nsjail(const std::string& path, const BenchSetup& setup) {
  Words argv = {path, "-Mo", "-Q", "-T", "/tmp", "-B", setup.workspace, "--cwd", setup.workspace};
  for (const std::string directory : {"/usr", "/bin", "/lib", "/lib64"}) {
    struct stat found {};
    if (stat(directory.c_str(), &found) == 0) append(argv, {"-R", directory});
  }
  for (const std::string& file : extra_files(setup)) append(argv, {"-R", file});
  append(argv, {"--", setup.command});
  return LaunchLine{.argv = argv};
}

Result<LaunchLine> minijail0(const std::string& path, const BenchSetup& setup) {
  return LaunchLine{.argv = {path, "-U", "-m", "-M", "-v", "-p", "-r", "-l", "-N", "-e", "--uts",
                             "-n", "--", setup.command}};
}

constexpr Peer kPeers[] = {
    {kRival, "bwrap", "all namespaces, read-only /usr, no /etc, bawn's filter", bwrap},
    {kRivalSameView, "bwrap", "all namespaces, bawn's system, settings and filter",
     bwrap_same_view},
    {"unshare", "unshare", "all namespaces; sees every file, no filter", unshare},
    {"firejail", "firejail", "private /tmp and /dev, no network, its own filter", firejail},
    {"crun", "crun", "all namespaces, read-only system, no filter", crun},
    {"nsjail", "nsjail", "all namespaces, read-only system, no filter", nsjail},
    {"minijail0", "minijail0", "all namespaces; sees every file, no filter", minijail0},
};

}  // namespace

std::span<const Peer> peers() { return kPeers; }

std::vector<std::string> extra_files(const BenchSetup& setup) {
  if (is_below(setup.command, "/usr") || is_below(setup.command, setup.workspace)) return {};
  return {setup.command};
}

}  // namespace bawn::bench
