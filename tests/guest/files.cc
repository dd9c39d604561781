// Ways to change or reach files that the command may not change or reach.

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include "guest.h"

namespace guest {
namespace {

constexpr char kText[] = "changed";

int make_block_device(const Arguments& arguments) {
  return answer(mknod(arguments.at(0).c_str(), S_IFBLK | 0600, makedev(7, 0)) == 0);
}
int make_fifo(const Arguments& arguments) {
  return answer(mkfifo(arguments.at(0).c_str(), 0600) == 0);
}
int make_files(const Arguments& arguments) {
  bool made = true;
  for (long i = 0; made && i < number(arguments.at(1)); ++i) {
    const int fd = open_file(arguments.at(0) + "/" + std::to_string(i), O_WRONLY | O_CREAT);
    made = fd != -1;
    if (made) close(fd);
  }
  return answer(made);
}
int open_terminals(const Arguments& arguments) {
  bool opened = true;
  for (long i = 0; opened && i < number(arguments.at(0)); ++i)
    opened = open_file("/dev/ptmx", O_RDWR) != -1;
  return answer(opened);
}
int make_directory(const Arguments& arguments) {
  return answer(mkdir(arguments.at(0).c_str(), 0700) == 0);
}
int remove_directory(const Arguments& arguments) {
  return answer(rmdir(arguments.at(0).c_str()) == 0);
}
int read_link(const Arguments& arguments) {
  char target[4096];
  return answer(readlink(arguments.at(0).c_str(), target, sizeof target) >= 0);
}
int enter_directory(const Arguments& arguments) {
  return answer(chdir(arguments.at(0).c_str()) == 0);
}
int look_at(const Arguments& arguments) {
  struct stat found {};
  return answer(stat(arguments.at(0).c_str(), &found) == 0);
}
int touch(const Arguments& arguments) {
  return answer(utimensat(AT_FDCWD, arguments.at(0).c_str(), nullptr, 0) == 0);
}
int take_ownership(const Arguments& arguments) {
  return answer(chown(arguments.at(0).c_str(), getuid(), getgid()) == 0);
}
int set_attribute(const Arguments& arguments) {
  return answer(setxattr(arguments.at(0).c_str(), "user.bawn", kText, sizeof kText, 0) == 0);
}
int set_file_capability(const Arguments& arguments) {
  // VFS_CAP_REVISION_2 with CAP_SYS_ADMIN, effective.
  const unsigned capability[5] = {0x02000001, 1U << 21, 0, 0, 0};
  return answer(setxattr(arguments.at(0).c_str(), "security.capability", capability,
                         sizeof capability, 0) == 0);
}
int allocate_file(const Arguments& arguments) {
  const int fd = open_file(arguments.at(0), O_WRONLY);
  return answer(fd != -1 && posix_fallocate(fd, 0, 1) == 0);
}
int append(const Arguments& arguments) {
  const int fd = open_file(arguments.at(0), O_WRONLY | O_APPEND);
  return answer(fd != -1 && write(fd, kText, sizeof kText) > 0);
}
int make_unnamed_file(const Arguments& arguments) {
  return answer(open_file(arguments.at(0), O_WRONLY | O_TMPFILE) != -1);
}

// As editors save: a new file takes the name of the old one.
int replace(const Arguments& arguments) {
  const int fd = open_file(arguments.at(1), O_WRONLY | O_CREAT);
  return answer(fd != -1 && rename(arguments.at(1).c_str(), arguments.at(0).c_str()) == 0);
}
int exchange(const Arguments& arguments) {
  constexpr unsigned kExchange = 2;
  return answer(syscall(SYS_renameat2, AT_FDCWD, arguments.at(0).c_str(), AT_FDCWD,
                        arguments.at(1).c_str(), kExchange) == 0);
}
int map_writable(const Arguments& arguments) {
  const int fd = open_file(arguments.at(0), O_RDWR);
  return answer(fd != -1 && mmap(nullptr, 1, PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED);
}

// Through /proc/self/mem a process can write to its memory whatever the protection of the page.
int write_through_memory(const Arguments& arguments) {
  const int file = open_file(arguments.at(0), O_RDONLY);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  const int memory = open_file("/proc/self/mem", O_RDWR);
  return answer(page != MAP_FAILED && memory != -1 &&
                pwrite(memory, kText, 1, static_cast<off_t>(reinterpret_cast<uintptr_t>(page))) ==
                    1);
}

int get_handle(const Arguments& arguments) {
  alignas(file_handle) char space[sizeof(file_handle) + MAX_HANDLE_SZ] = {};
  auto* handle = reinterpret_cast<file_handle*>(space);
  handle->handle_bytes = MAX_HANDLE_SZ;
  int mount = 0;
  return answer(name_to_handle_at(AT_FDCWD, arguments.at(0).c_str(), handle, &mount, 0) == 0);
}

// ".." in a directory that was moved meanwhile could lead past the root.
int climb_from_moved_directory(const Arguments& arguments) {
  const std::string& area = arguments.at(0);
  mkdir((area + "/a").c_str(), 0700);
  mkdir((area + "/a/b").c_str(), 0700);
  if (chdir((area + "/a/b").c_str()) != 0 ||
      rename((area + "/a/b").c_str(), (area + "/b").c_str()) != 0)
    return answer(false);
  for (int i = 0; i < 64; ++i) {
    if (chdir("..") != 0) return answer(false);
  }
  return answer(access(arguments.at(1).c_str() + 1, F_OK) == 0);
}

// The verbs mode-by-*: set the mode in the first argument on the file in the second, in every way
// that the kernel has. The mode is a number in C notation, of any width.
unsigned long mode_of(const Arguments& arguments) {
  return std::strtoul(arguments.at(0).c_str(), nullptr, 0);
}
const char* path_of(const Arguments& arguments) { return arguments.at(1).c_str(); }

int mode_by_chmod(const Arguments& arguments) {
  return answer(syscall(SYS_chmod, path_of(arguments), mode_of(arguments)) == 0);
}
int mode_by_fchmod(const Arguments& arguments) {
  return answer(syscall(SYS_fchmod, open_file(arguments.at(1), O_RDONLY), mode_of(arguments)) == 0);
}
int mode_by_fchmodat(const Arguments& arguments) {
  return answer(syscall(SYS_fchmodat, AT_FDCWD, path_of(arguments), mode_of(arguments)) == 0);
}
int mode_by_fchmodat2(const Arguments& arguments) {
  constexpr long kFchmodat2 = 452;
  return answer(syscall(kFchmodat2, AT_FDCWD, path_of(arguments), mode_of(arguments), 0) == 0);
}
int mode_by_open(const Arguments& arguments) {
  return answer(syscall(SYS_open, path_of(arguments), O_WRONLY | O_CREAT, mode_of(arguments)) !=
                -1);
}
int mode_by_openat(const Arguments& arguments) {
  return answer(syscall(SYS_openat, AT_FDCWD, path_of(arguments), O_WRONLY | O_CREAT,
                        mode_of(arguments)) != -1);
}
int mode_by_creat(const Arguments& arguments) {
  return answer(syscall(SYS_creat, path_of(arguments), mode_of(arguments)) != -1);
}
int mode_by_mknod(const Arguments& arguments) {
  return answer(syscall(SYS_mknod, path_of(arguments), S_IFREG | mode_of(arguments), 0) == 0);
}
int mode_by_mknodat(const Arguments& arguments) {
  return answer(
      syscall(SYS_mknodat, AT_FDCWD, path_of(arguments), S_IFREG | mode_of(arguments), 0) == 0);
}
int mode_by_mkdir(const Arguments& arguments) {
  return answer(syscall(SYS_mkdir, path_of(arguments), mode_of(arguments)) == 0);
}
int mode_by_openat2(const Arguments& arguments) {
  const unsigned long how[3] = {O_WRONLY | O_CREAT, mode_of(arguments), 0};
  return answer(syscall(SYS_openat2, AT_FDCWD, path_of(arguments), how, sizeof how) != -1);
}
// With O_TMPFILE: the file gets its name by linkat() afterwards.
int mode_by_unnamed_file(const Arguments& arguments) {
  const std::string directory = arguments.at(1).substr(0, arguments.at(1).rfind('/'));
  const long fd =
      syscall(SYS_openat, AT_FDCWD, directory.c_str(), O_WRONLY | O_TMPFILE, mode_of(arguments));
  if (fd == -1) return answer(false);
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  return answer(linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path_of(arguments), AT_SYMLINK_FOLLOW) ==
                0);
}

// stdin may be a directory that the caller opened. openat() on it ignores the mount namespace of
// the command.
int read_below_stdin(const Arguments& arguments) {
  return answer(openat(0, arguments.at(0).c_str(), O_RDONLY) != -1);
}
int reopen_stdin_for_writing(const Arguments& /*arguments*/) {
  return answer(open_file("/proc/self/fd/0", O_WRONLY) != -1);
}

constexpr Verb kVerbs[] = {
    {"make-block-device", make_block_device},
    {"make-fifo", make_fifo},
    {"make-files", make_files},
    {"open-terminals", open_terminals},
    {"make-directory", make_directory},
    {"remove-directory", remove_directory},
    {"read-link", read_link},
    {"enter", enter_directory},
    {"look-at", look_at},
    {"touch", touch},
    {"take-ownership", take_ownership},
    {"set-attribute", set_attribute},
    {"set-file-capability", set_file_capability},
    {"allocate-file", allocate_file},
    {"append", append},
    {"make-unnamed-file", make_unnamed_file},
    {"replace", replace},
    {"exchange", exchange},
    {"map-writable", map_writable},
    {"write-through-memory", write_through_memory},
    {"get-handle", get_handle},
    {"climb-from-moved-directory", climb_from_moved_directory},
    {"mode-by-chmod", mode_by_chmod},
    {"mode-by-fchmod", mode_by_fchmod},
    {"mode-by-fchmodat", mode_by_fchmodat},
    {"mode-by-fchmodat2", mode_by_fchmodat2},
    {"mode-by-open", mode_by_open},
    {"mode-by-openat", mode_by_openat},
    {"mode-by-creat", mode_by_creat},
    {"mode-by-mknod", mode_by_mknod},
    {"mode-by-mknodat", mode_by_mknodat},
    {"mode-by-mkdir", mode_by_mkdir},
    {"mode-by-openat2", mode_by_openat2},
    {"mode-by-unnamed-file", mode_by_unnamed_file},
    {"read-below-stdin", read_below_stdin},
    {"reopen-stdin-for-writing", reopen_stdin_for_writing},
};

}  // namespace

const std::span<const Verb> kFileVerbs = kVerbs;

}  // namespace guest
