// Everything that can be done through a descriptor besides reading and writing.

#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <termios.h>

#include <csignal>
#include <ctime>

#include "guest.h"

namespace guest {
namespace {

void change_file(int fd) {
  constexpr char kText[] = "changed";
  const timespec past[2] = {{.tv_sec = 1000, .tv_nsec = 0}, {.tv_sec = 1000, .tv_nsec = 0}};
  fsetxattr(fd, "user.bawn", kText, sizeof kText, 0);
  futimens(fd, past);
  syscall(SYS_utimensat, fd, nullptr, nullptr, 0);
  [[maybe_unused]] const int cut = ftruncate(fd, 1);
  fallocate(fd, 0, 0, 1 << 20);
  int flags = 0;
  if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
    flags |= FS_NODUMP_FL;
    ioctl(fd, FS_IOC_SETFLAGS, &flags);
  }
  std::uint64_t hint = RWH_WRITE_LIFE_SHORT;
  fcntl(fd, F_SET_RW_HINT, &hint);
  [[maybe_unused]] const int owner = fchown(fd, getuid(), getgid());
  fchmod(fd, 0777);
}

void change_description(int fd) {
  fcntl(fd, F_SETOWN, getpid());
  fcntl(fd, F_SETSIG, SIGUSR1);
  fcntl(fd, F_SETLEASE, F_RDLCK);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK | O_APPEND | O_ASYNC);
  flock(fd, LOCK_EX | LOCK_NB);
  struct flock range = {};
  range.l_type = F_RDLCK;
  fcntl(fd, F_OFD_SETLK, &range);
}

void change_terminal(int fd) {
  termios modes{};
  if (tcgetattr(fd, &modes) != 0) return;
  modes.c_lflag ^= static_cast<tcflag_t>(ICANON | ECHO);
  tcsetattr(fd, TCSANOW, &modes);
  const winsize size{.ws_row = 3, .ws_col = 5, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(fd, TIOCSWINSZ, &size);
  ioctl(fd, TIOCEXCL);
}

// Reopens the file through /proc/self/fd, which may give rights that the descriptor does not have.
void change_reopened(int fd) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  chmod(link.c_str(), 0777);
  for (const int access : {O_RDWR, O_WRONLY, O_RDONLY}) {
    const int again = open_file(link, access | O_NONBLOCK | O_NOCTTY);
    if (again == -1) continue;
    change_file(again);
    close(again);
  }
}

int change_descriptors(const Arguments& /*arguments*/) {
  signal(SIGIO, SIG_IGN);
  signal(SIGTTOU, SIG_IGN);
  for (int fd = 0; fd < 64; ++fd) {
    if (fcntl(fd, F_GETFD) == -1) continue;
    change_terminal(fd);
    change_file(fd);
    change_reopened(fd);
    change_description(fd);
  }
  return 0;
}

const char* answer_of(int result) { return result == -1 ? strerrorname_np(errno) : "granted"; }

// Tries a lease, a write hint and a lock on a file that is open for reading: stdin, or the named
// file.
int lease_file(const Arguments& arguments) {
  const int fd = arguments.empty() ? 0 : open_file(arguments[0], O_RDONLY);
  std::uint64_t hint = RWH_WRITE_LIFE_SHORT;
  std::printf("lease %s\n", answer_of(fcntl(fd, F_SETLEASE, F_RDLCK)));
  std::printf("hint %s\n", answer_of(fcntl(fd, F_SET_RW_HINT, &hint)));
  std::printf("lock %s\n", answer_of(flock(fd, LOCK_SH | LOCK_NB)));
  return 0;
}

// Reads exactly as many bytes as the argument says.
int read_bytes(const Arguments& arguments) {
  char byte = 0;
  for (long i = 0; i < number(arguments.at(0)); ++i) {
    if (read(0, &byte, 1) != 1) return 1;
  }
  return 0;
}

// Prints "seekable", or the errno.
int seek_stdin(const Arguments& /*arguments*/) {
  std::puts(lseek(0, 0, SEEK_CUR) == -1 ? strerrorname_np(errno) : "seekable");
  return 0;
}

// Rewinds stdin. If stdin is a pipe that can be opened for writing, writes into it.
int rewind_stdin(const Arguments& /*arguments*/) {
  lseek(0, 0, SEEK_SET);
  const int pipe = open_file("/proc/self/fd/0", O_WRONLY);
  const std::string more(1000, 'x');
  if (pipe != -1) return write(pipe, more.data(), more.size()) > 0 ? 0 : 1;
  return 0;
}

constexpr Verb kVerbs[] = {
    {"change-descriptors", change_descriptors},
    {"lease-file", lease_file},
    {"read-bytes", read_bytes},
    {"rewind-stdin", rewind_stdin},
    {"seek-stdin", seek_stdin},
};

}  // namespace

const std::span<const Verb> kDescriptorVerbs = kVerbs;

}  // namespace guest
