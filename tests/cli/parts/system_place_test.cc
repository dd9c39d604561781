// Which directories `bawn run` refuses as an accidental workspace, and which it must accept.

#include "front/cli/input/home_guard.h"

#include <gtest/gtest.h>

namespace bawn::cli {
namespace {

// System directories. They hold files of services and of root, which no command should change by
// accident.
constexpr std::string_view kGuarded[] = {"/",
                                         "/bin",
                                         "/boot",
                                         "/boot/efi",
                                         "/dev",
                                         "/dev/shm",
                                         "/etc",
                                         "/etc/cron.d",
                                         "/home",
                                         "/lib64",
                                         "/lost+found",
                                         "/lost+found/#123",
                                         "/home/lost+found",
                                         "/mnt/disk/lost+found",
                                         "/media",
                                         "/mnt",
                                         "/opt",
                                         "/proc",
                                         "/proc/1",
                                         "/root",
                                         "/run",
                                         "/run/user/1000",
                                         "/run/systemd",
                                         "/sbin",
                                         "/snap/core",
                                         "/srv",
                                         "/sys",
                                         "/tmp",
                                         "/usr",
                                         "/usr/bin",
                                         "/usr/include/linux",
                                         "/usr/libexec",
                                         "/usr/local",
                                         "/usr/local/bin",
                                         "/usr/share/doc",
                                         "/usr/src",
                                         "/nix",
                                         "/nix/store/abc",
                                         "/var",
                                         "/var/backups",
                                         "/var/cache",
                                         "/var/cache/apt/archives",
                                         "/var/crash",
                                         "/var/games",
                                         "/var/lib",
                                         "/var/lib/dpkg/info",
                                         "/var/lib/docker",
                                         "/var/lib/postgresql",
                                         "/var/lib/systemd/coredump",
                                         "/var/local",
                                         "/var/lock",
                                         "/var/log",
                                         "/var/log/nginx",
                                         "/var/mail",
                                         "/var/opt",
                                         "/var/opt/package",
                                         "/var/run",
                                         "/var/spool",
                                         "/var/spool/cron/crontabs",
                                         "/var/tmp",
                                         "/private/var/log",
                                         "/private/etc/ssh",
                                         "/System/Library",
                                         "/c/Windows/System32"};

// Directories in which people have projects.
constexpr std::string_view kFree[] = {"/home/you",
                                      "/home/you/project",
                                      "/home/you/var/log",
                                      "/media/you/stick/project",
                                      "/mnt/disk",
                                      "/mnt/disk/project",
                                      "/opt/project",
                                      "/opt/project/src",
                                      "/project",
                                      "/root/project",
                                      "/srv/project",
                                      "/srv/www/site",
                                      "/tmp/work",
                                      "/usr/local/src/project",
                                      "/usr/src/linux",
                                      "/var/www",
                                      "/var/www/site",
                                      "/var/tmp/build",
                                      "/var/jenkins/workspace",
                                      "/var/lib/jenkins/workspace/job",
                                      "/var/lib/buildkite-agent/builds/x",
                                      "/var/local/project",
                                      "/var/logs",
                                      "/variable",
                                      "/etcetera",
                                      "/workspace",
                                      "/builds/group/project",
                                      "/private/tmp/work",
                                      "/Users/you/project",
                                      "/private/var/folders/ab/cd/T/work",
                                      "/c/Users/you/project"};

TEST(SystemPlace, IsEachDirectoryOfTheSystem) {
  for (const std::string_view path : kGuarded) EXPECT_TRUE(is_system_place(path)) << path;
}

TEST(SystemPlace, IsNoneThatMayHoldAProject) {
  for (const std::string_view path : kFree) EXPECT_FALSE(is_system_place(path)) << path;
}

}  // namespace
}  // namespace bawn::cli
