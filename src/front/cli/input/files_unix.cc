#include "front/cli/input/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <span>
#include <utility>

#include "base/text.h"
#include "request/request.h"
#include "sys/call.h"
#include "sys/fd.h"
#include "sys/file_kind.h"
#include "sys/write_signals.h"
#include "validate/scope.h"

namespace bawn::cli {

namespace {

// Limit on what is read and discarded of a request that is too long. It bounds the time that an
// endless writer can take.
constexpr std::size_t kMostForgotten = 64 << 20;

// Enough for some hundred thousand users. A longer file is an error.
constexpr std::size_t kLongestPasswd = 16 << 20;

// A FIFO was opened with O_NONBLOCK, so read() would fail with EAGAIN while it is empty. Other
// files need no wait.
void wait_for_bytes(int fd) {
  struct stat status {};
  pollfd ask{.fd = fd, .events = POLLIN, .revents = 0};
  if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode))
    sys::retried([&] { return poll(&ask, 1, -1); });
}

Result<std::size_t> read_block(int fd, std::span<char> block, std::string_view name) {
  wait_for_bytes(fd);
  BAWN_ASSIGN(const ssize_t got, sys::checked(concat("read ", name), [&] {
                return read(fd, block.data(), block.size());
              }));
  return static_cast<std::size_t>(got);
}

// Up to `most` bytes, or one more if there are more.
Result<std::string> read_start(int fd, std::size_t most, std::string_view name) {
  std::string text;
  std::array<char, 16 * 1024> block{};
  while (text.size() <= most) {
    const std::size_t wanted = std::min(block.size(), most + 1 - text.size());
    BAWN_ASSIGN(const std::size_t got, read_block(fd, std::span(block).first(wanted), name));
    if (got == 0) break;
    text.append(block.data(), got);
  }
  return text;
}

Result<void> forget_rest(int fd, std::string_view name) {
  std::array<char, 16 * 1024> block{};
  for (std::size_t forgotten = 0; forgotten < kMostForgotten;) {
    BAWN_ASSIGN(const std::size_t got, read_block(fd, block, name));
    if (got == 0) return {};
    forgotten += got;
  }
  return {};
}

// True if the path names a descriptor by its number. The caller passed it on purpose and holds the
// other end of the pipe, so a blocking read is what it expects.
bool names_descriptor(std::string_view path) {
  for (const std::string_view directory : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.starts_with(directory))
      return path.substr(directory.size()).find_first_not_of("0123456789") ==
             std::string_view::npos;
  }
  return path == "/dev/stdin";
}

Result<void> require_readable_kind(const std::string& path, mode_t mode) {
  if (S_ISREG(mode) || (S_ISFIFO(mode) && names_descriptor(path))) return {};
  return invalid_error(
      concat(quote(path), " is ", sys::file_kind(mode), ", expected a regular file"));
}

// The kind is checked twice. Before open(), because opening a device can have side effects; after
// it, because the path may lead to another file by then. O_NONBLOCK: open() must not block on a
// FIFO without a writer.
Result<Fd> open_named(const std::string& path) {
  const std::string what = concat("open ", quote(path));
  struct stat status {};
  BAWN_TRY(sys::checked(what, [&] { return stat(path.c_str(), &status); }));
  BAWN_TRY(require_readable_kind(path, status.st_mode));
  BAWN_ASSIGN(const int fd, sys::checked(what, [&] {
                return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
              }));
  Fd file(fd);
  BAWN_TRY(sys::checked(what, [&] { return fstat(fd, &status); }));
  BAWN_TRY(require_readable_kind(path, status.st_mode));
  return file;
}

// The path of an open file, also if the descriptor was inherited; "" if the system does not tell.
std::string name_of_open(int fd) {
  std::array<char, PATH_MAX> name{};
#ifdef F_GETPATH
  return fcntl(fd, F_GETPATH, name.data()) == -1 ? "" : name.data();
#else
  const ssize_t length = readlink(concat("/proc/self/fd/", fd).c_str(), name.data(), name.size());
  return length <= 0 ? "" : std::string(name.data(), static_cast<std::size_t>(length));
#endif
}

// Keeps symbolic links: the planner must see each link, since the command could replace it.
std::string absolute_spelling(const std::string& path) {
  if (path.starts_with('/')) return path;
  std::array<char, PATH_MAX> current{};
  return getcwd(current.data(), current.size()) == nullptr ? path
                                                           : concat(current.data(), "/", path);
}

std::optional<InputFile> input_file(const std::string& path, int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const InputFile file{.origin = "",
                       .path = names_descriptor(path) ? name_of_open(fd) : absolute_spelling(path),
                       .device = static_cast<std::uint64_t>(status.st_dev),
                       .inode = status.st_ino};
  struct stat named {};
  const bool has_name = stat(file.path.c_str(), &named) == 0 && named.st_dev == status.st_dev &&
                        named.st_ino == status.st_ino;
  return has_name || !names_descriptor(path) ? std::optional(file) : std::nullopt;
}

std::string name_of(int fd) {
  if (fd == STDOUT_FILENO) return "stdout";
  return fd == STDERR_FILENO ? "stderr" : concat("file ", fd);
}

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{100};

// A second, non-blocking open file description for a pipe or terminal. O_NONBLOCK must not be set
// on the inherited one: it is shared with other processes (the shell, the rest of a pipeline). On
// Linux open("/dev/fd/N") makes a new open file description. macOS returns the shared one, and only
// poll() keeps the write from blocking there. Other files are not reopened: their offset would
// start at 0.
Fd own_copy(int fd, mode_t mode) {
  if (!S_ISFIFO(mode) && isatty(fd) != 1) return Fd();
  const std::string path = concat("/dev/fd/", fd);
  return Fd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

bool has_room_before(int fd, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ask{.fd = fd, .events = POLLOUT, .revents = 0};
    const int answer = poll(&ask, 1, static_cast<int>(std::max<decltype(left)>(left, 0)));
    if (answer != -1 || errno != EINTR) return answer == 1;
  }
}

// Which of 0, 1 and 2 were closed when bawn was started. They are /dev/null now. That suits the
// command, but an outcome that bawn writes there would be lost, so bawn treats them as closed.
std::array<bool, 3> closed_at_start{};

bool was_closed(int fd) {
  return fd >= 0 && static_cast<std::size_t>(fd) < closed_at_start.size() &&
         closed_at_start[static_cast<std::size_t>(fd)];
}

// Device and inode, because a directory can be mounted at more than one path. No value if there is
// nothing at the path.
std::optional<std::pair<dev_t, ino_t>> directory_id(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return std::pair(found.st_dev, found.st_ino);
}

bool is_same_directory(const std::string& a, const std::string& b) {
  const auto id = directory_id(a);
  return id && id == directory_id(b);
}

}  // namespace

Result<ReadInput> read_input(const std::string& path, std::size_t most) {
  BAWN_ASSIGN(const Fd file, open_named(path));
  ReadInput read{.text = {}, .file = input_file(path, file.get())};
  BAWN_ASSIGN(read.text, read_start(file.get(), most, quote(path)));
  if (read.text.size() > most)
    return invalid_error(concat(quote(path), " is longer than ", most, " bytes"));
  return read;
}

Result<std::string> read_file(const std::string& path, std::size_t most) {
  BAWN_ASSIGN(ReadInput read, read_input(path, most));
  return std::move(read.text);
}

Result<std::string> read_request_text(const std::string& path) {
  Fd opened;
  if (path != "-") {
    BAWN_ASSIGN(opened, open_named(path));
  }
  const int fd = path == "-" ? STDIN_FILENO : opened.get();
  const std::string name = path == "-" ? "stdin" : quote(path);
  BAWN_ASSIGN(std::string text, read_start(fd, kMaxRequestBytes, name));
  if (text.size() > kMaxRequestBytes) BAWN_TRY(forget_rest(fd, name));
  return text;
}

Result<void> write_text(int fd, std::string_view text) {
  if (was_closed(fd)) return system_error(EBADF, concat("write to ", name_of(fd)));
  const sys::WriteSignalBlock no_signals;
  while (!text.empty()) {
    BAWN_ASSIGN(const ssize_t written, sys::checked(concat("write to ", name_of(fd)), [&] {
                  return write(fd, text.data(), text.size());
                }));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// Writes at most PIPE_BUF bytes at a time: a pipe that poll() reports as writable takes that much
// without blocking.
void tell(int fd, std::string_view text) {
  if (text.empty()) return;
  const sys::WriteSignalBlock no_signals;
  struct stat facts {};
  if (fstat(fd, &facts) != 0) return;
  const Fd own = own_copy(fd, facts.st_mode);
  const int target = own ? own.get() : fd;
  const auto deadline = Clock::now() + kPatience;
  while (!text.empty() && Clock::now() < deadline && has_room_before(target, deadline)) {
    const std::string_view piece = text.substr(0, PIPE_BUF);
    const ssize_t written = S_ISSOCK(facts.st_mode)
                                ? send(target, piece.data(), piece.size(), MSG_DONTWAIT)
                                : write(target, piece.data(), piece.size());
    if (written < 0 && errno != EAGAIN && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

Result<std::string> absolute_path(std::string_view path) {
  std::array<char, PATH_MAX> buffer{};
  const std::string spelled(path);
  if (realpath(spelled.c_str(), buffer.data()) != nullptr) return std::string(buffer.data());
  if (path.starts_with('/')) return lexically_normal(path);
  if (getcwd(buffer.data(), buffer.size()) == nullptr) {
    const int reason = errno;
    if (reason != ENOENT) return system_error(reason, "the current directory");
    return invalid_error(
        "the current directory is gone: it was removed; change to a directory that exists, or give "
        "absolute paths and --workspace DIR");
  }
  return lexically_normal(concat(buffer.data(), "/", path));
}

namespace {

bool is_link(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode);
}

}  // namespace

Result<std::string> current_name() {
  const char* told = std::getenv("PWD");
  const bool is_name = told != nullptr && *told == '/' && lexically_normal(told) == told;
  return is_name && is_same_directory(told, ".") ? Result<std::string>(told) : absolute_path(".");
}

// ".." behind a symbolic link means the parent of the link's target, which the text of the path
// does not show. So it is refused.
Result<std::string> absolute_name(std::string_view path) {
  std::string name;
  if (!path.starts_with('/')) {
    BAWN_ASSIGN(name, current_name());
  }
  if (name == "/") name.clear();
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      name += concat("/", part);
    } else if (is_link(name)) {
      return invalid_error(
          concat(quote(path), " goes up from the link ", quote(name), ": write it without '..'"));
    } else if (!name.empty()) {
      name.resize(name.rfind('/'));
    }
  }
  return name.empty() ? "/" : name;
}

std::size_t drive_length(std::string_view /*path*/) { return 0; }

bool holds_directory(const std::string& outer, const std::string& inner) {
  const auto sought = directory_id(outer);
  std::array<char, PATH_MAX> real{};
  if (!sought || realpath(inner.c_str(), real.data()) == nullptr) return false;
  for (std::string above = real.data();; above.resize(std::max<std::size_t>(above.rfind('/'), 1))) {
    if (directory_id(above) == sought) return true;
    if (above == "/") return false;
  }
}

// Entries are name:password:uid:gid:comment:home:shell. Service accounts have nologin or false as
// shell.
Result<Homes> home_directories() {
  Homes homes;
  if (const char* home = std::getenv("HOME"); home != nullptr) homes.own.emplace_back(home);
  const auto passwd = read_file("/etc/passwd", kLongestPasswd);
  if (!passwd && passwd.error().sys_errno == ENOENT) return homes;
  if (!passwd) return passwd.error();
  const std::string own = concat(getuid());
  for (const std::string_view line : split(passwd.value(), '\n')) {
    const std::vector<std::string_view> fields = split(line, ':');
    if (fields.size() < 7 || !fields[5].starts_with('/')) continue;
    if (fields[2] == own) {
      homes.own.emplace_back(fields[5]);
    } else if (!fields[6].ends_with("/nologin") && !fields[6].ends_with("/false")) {
      homes.others.emplace_back(fields[5]);
    }
  }
  return homes;
}

// There may be thousands of homes, so only the home itself is compared by inode; directories above
// it are compared by name.
bool holds_home_of_another(const std::string& path, const Homes& homes) {
  const auto sought = directory_id(path);
  return std::ranges::any_of(homes.others, [&](const std::string& home) {
    return path_is_within(home, path) || (sought && directory_id(home) == sought);
  });
}

bool is_shared_directory(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && (status.st_mode & S_ISVTX) != 0;
}

Result<void> require_writable(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  // A descriptor with FD_CLOEXEC was not inherited through execve(), so bawn opened it itself.
  const bool is_the_callers =
      flags != -1 && (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0 && !was_closed(fd);
  if (!is_the_callers) return invalid_error(concat(name_of(fd), " is not an open file"));
  if ((flags & O_ACCMODE) == O_RDONLY)  // true for O_PATH as well
    return invalid_error(concat(name_of(fd), " is not open for writing"));
  return {};
}

Result<void> fill_standard_files() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    // NOLINTNEXTLINE(android-cloexec-open): handed on like any stdio
    if (open("/dev/null", O_RDWR) != fd)
      return invalid_error(concat("file ", fd, " is closed and cannot be replaced"));
    closed_at_start[static_cast<std::size_t>(fd)] = true;
  }
  return {};
}

std::vector<char*> command_words(int argc, char** argv) {
  // A hostile caller can execve() with an empty argv: argc is 0 and there is no argv[0].
  return argc > 1 ? std::vector<char*>(argv + 1, argv + argc) : std::vector<char*>();
}

}  // namespace bawn::cli
