#include "host/id_mapping.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "sys/call.h"
#include "sys/control_file.h"
#include "sys/fd.h"
#include "sys/open.h"
#include "sys/pipe.h"

namespace bawn {
namespace {

using Clock = std::chrono::steady_clock;

std::string file_of(pid_t process, std::string_view name) {
  return concat("/proc/", process, "/", name);
}

Result<void> write_file(pid_t process, std::string_view name, const std::string& text) {
  return sys::write_control(AT_FDCWD, file_of(process, name), text);
}

// An unprivileged process that maps only itself must write "deny" to /proc/PID/setgroups first.
// Otherwise it could drop a supplementary group that denies access. With ranges the kernel does not
// require this and newgidmap leaves setgroups allowed; bawn denies it in both cases.
bool gives_up_groups() { return geteuid() != 0; }

Result<void> give_up_groups(pid_t process) {
  if (!gives_up_groups()) return {};
  return write_file(process, "setgroups", "deny");
}

Result<void> verify_groups(pid_t process) {
  if (!gives_up_groups()) return {};
  const std::string file = file_of(process, "setgroups");
  BAWN_ASSIGN(const std::string text, sys::read_control(AT_FDCWD, file));
  if (text == "deny\n") return {};
  return Error{.message = concat(quote(file), " is ", quote(text), " and should be 'deny'")};
}

// ---- Running newuidmap and newgidmap ------------------------------------------------------------

// Attributes for posix_spawn: no signal blocked or ignored, and no inherited file except the one
// for output.
class SpawnOrder {
 public:
  explicit SpawnOrder(int output) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    constexpr short kFlags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    for (const int error : {
             posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
             posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO),
             posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO),
             posix_spawn_file_actions_addclosefrom_np(&files_, STDERR_FILENO + 1),
             posix_spawnattr_setsigmask(&attributes_, &none),
             posix_spawnattr_setsigdefault(&attributes_, &all),
             posix_spawnattr_setflags(&attributes_, kFlags),
         }) {
      if (error != 0) error_ = error;
    }
  }
  SpawnOrder(const SpawnOrder&) = delete;
  SpawnOrder& operator=(const SpawnOrder&) = delete;
  ~SpawnOrder() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }

  // Passes no environment: a privileged program must not be influenced by the caller's variables.
  [[nodiscard]] Result<pid_t> start(const std::vector<std::string>& words) const {
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    std::array<char*, 1> no_environment = {nullptr};
    pid_t child = -1;
    const int error = error_ != 0 ? error_
                                  : posix_spawn(&child, words.front().c_str(), &files_,
                                                &attributes_, argv.data(), no_environment.data());
    if (error != 0) return system_error(error, concat("start ", quote(words.front())));
    return child;
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
  // errno of building the attributes; then nothing is started, because they would be incomplete
  int error_ = 0;
};

struct Patience {
  MappingWait wait;
  Clock::time_point deadline = Clock::now() + wait.most;
};

// Returns an empty Fd if the child has ended and was already reaped, by SIGCHLD = SIG_IGN or by
// other code in this program.
Result<Fd> open_process(pid_t child) {
  Fd handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  if (!handle && errno != ESRCH) return system_error(errno, "pidfd_open");
  return handle;
}

enum class Waited { ended, too_long, cancelled };

Result<Waited> wait_for(const Fd& handle, const Patience& patience) {
  if (!handle) return Waited::ended;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(patience.deadline - Clock::now()).count();
    std::array<pollfd, 2> files = {
        {{.fd = handle.get(), .events = POLLIN, .revents = 0},
         {.fd = patience.wait.cancel_fd, .events = POLLIN, .revents = 0}}};
    const int ready =
        poll(files.data(), files.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready == -1 && errno == EINTR) continue;
    if (ready == -1) return system_error(errno, "poll");
    if (files[0].revents != 0) return Waited::ended;
    return files[1].revents != 0 ? Waited::cancelled : Waited::too_long;
  }
}

// Returns "" if the program succeeded. Also "" if other code in this program has reaped it; the map
// is read back in any case.
std::string why_failed(pid_t child) {
  int status = 0;
  if (sys::retried([&] { return waitpid(child, &status, 0); }) == -1) return "";
  if (WIFSIGNALED(status)) return concat("signal ", WTERMSIG(status), " ended it");
  return WEXITSTATUS(status) == 0 ? "" : concat("exit code ", WEXITSTATUS(status));
}

// The program's output on one line. The pipe is nonblocking, so another holder of its write end
// causes no wait.
std::string last_output(int pipe) {
  std::array<char, 4096> space;
  const ssize_t got = sys::retried([&] { return read(pipe, space.data(), space.size()); });
  std::string text(space.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  text.erase(text.find_last_not_of("\n ") + 1);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "it printed nothing" : concat("it printed ", quote(text));
}

std::string_view lost_privilege() {
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return "";
  return "; this process has no_new_privs set, so no program that it starts can have the privilege "
         "to map ids";
}

// Runs the program and returns its output, or an error if its exit status says that it failed.
Result<std::string> run_mapper(const std::vector<std::string>& words, const Patience& patience) {
  BAWN_ASSIGN(sys::PipeEnds output, sys::pipe());
  BAWN_TRY(sys::set_nonblocking(output.read.get()));
  BAWN_ASSIGN(Fd said, sys::above_stdio(std::move(output.write)));
  const SpawnOrder order(said.get());
  // Reserves a descriptor for the child's pidfd before the child is started. Without a pidfd the
  // child could not be killed safely, because its pid may be reused.
  BAWN_ASSIGN(Fd room, sys::open_own_process());
  BAWN_ASSIGN(const pid_t child, order.start(words));
  said.reset();
  room.reset();
  const auto handle = open_process(child);
  const auto waited = handle ? wait_for(handle.value(), patience) : handle.error();
  const bool ended = waited && waited.value() == Waited::ended;
  if (handle && !ended) syscall(SYS_pidfd_send_signal, handle.value().get(), SIGKILL, nullptr, 0);
  const std::string failure = why_failed(child);
  std::string last = last_output(output.read.get());
  const std::string program = quote(words.front());
  if (!waited) return waited.error().within(concat("wait for ", program));
  if (waited.value() == Waited::cancelled)
    return Error{.kind = ErrorKind::cancelled,
                 .message = concat(program, " was killed because the run was cancelled; ", last)};
  if (!ended)
    return Error{.message = concat(program, " did not end within ", patience.wait.most.count(),
                                   " ms; ", last)};
  if (failure.empty()) return last;
  return Error{.message = concat(program, " refused: ", failure, ", ", last, lost_privilege())};
}

// ---- Writing a map and reading it back ----------------------------------------------------------

std::vector<std::string> mapper_argv(const std::string& mapper, pid_t process, const IdMap& map) {
  std::vector<std::string> words = {mapper, std::to_string(process)};
  for (const IdExtent& extent : map) {
    for (const std::uint32_t number : {extent.inside, extent.outside, extent.count})
      words.push_back(std::to_string(number));
  }
  return words;
}

// The exit code alone proves nothing, so the map is read back.
Result<void> map_with(const std::string& mapper, pid_t process, std::string_view name,
                      const IdMap& map, const Patience& patience) {
  BAWN_ASSIGN(const std::string last, run_mapper(mapper_argv(mapper, process, map), patience));
  const std::string file = file_of(process, name);
  BAWN_ASSIGN(const std::string text, sys::read_control(AT_FDCWD, file));
  if (parse_id_map(text) == map) return {};
  return Error{.message = concat(quote(mapper), " did not write the id map that was asked for, ",
                                 last, ": ", quote(file), " is ", quote(text), " and should be ",
                                 quote(id_map_text(map)))};
}

}  // namespace

Result<void> write_id_maps(pid_t process, const IdExtent& user, const IdExtent& group) {
  BAWN_TRY(give_up_groups(process));
  BAWN_TRY(write_file(process, "uid_map", id_map_text({user})));
  return write_file(process, "gid_map", id_map_text({group}));
}

Result<void> map_id_ranges(pid_t process, const IdMaps& maps, const IdMappers& mappers,
                           const MappingWait& wait) {
  const Patience patience{.wait = wait};
  BAWN_TRY(give_up_groups(process));
  BAWN_TRY(map_with(mappers.users, process, "uid_map", maps.users, patience));
  BAWN_TRY(map_with(mappers.groups, process, "gid_map", maps.groups, patience));
  return verify_groups(process);
}

}  // namespace bawn
