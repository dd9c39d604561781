#include "host/id_mapping.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "host/capability_probe.h"
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
  auto written = sys::write_control(AT_FDCWD, file_of(process, name), text);
  if (written) return written;
  Error error = written.error();
  const bool root_lacks = geteuid() == 0 && !probe_capabilities().has(Capability::setfcap);
  if (error.sys_errno == EPERM && root_lacks)
    error.message = concat(error.message, ": ", kNoSetfcap);
  return error;
}

// A process without CAP_SETGID that maps only itself must write "deny" to /proc/PID/setgroups
// first. Otherwise it could drop a supplementary group that denies access. With ranges the kernel
// does not require this and newgidmap leaves setgroups allowed; bawn denies it in both cases.
bool gives_up_groups() { return !probe_capabilities().has(Capability::setgid); }

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

// Returns an empty Fd if the child has ended and was already reaped, by SIGCHLD = SIG_IGN or by
// other code in this program.
Result<Fd> open_process(pid_t child) {
  Fd handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  if (!handle && errno != ESRCH) return system_error(errno, "pidfd_open");
  return handle;
}

bool has_ended(const Fd& handle) {
  if (!handle) return true;
  pollfd ask{.fd = handle.get(), .events = POLLIN, .revents = 0};
  return sys::retried([&] { return poll(&ask, 1, 0); }) == 1;
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

// ---- Writing a map and reading it back ----------------------------------------------------------

std::vector<std::string> mapper_argv(const std::string& mapper, pid_t process, const IdMap& map) {
  std::vector<std::string> words = {mapper, std::to_string(process)};
  for (const IdExtent& extent : map) {
    for (const std::uint32_t number : {extent.inside, extent.outside, extent.count})
      words.push_back(std::to_string(number));
  }
  return words;
}

}  // namespace

bool is_dumpable() { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1; }

Result<void> await_dumpable(pid_t process) {
  const std::string file = file_of(process, "uid_map");  // /proc/PID itself is always the caller's
  const Clock::time_point latest = Clock::now() + std::chrono::seconds(1);
  while (Clock::now() < latest) {
    struct stat status {};
    BAWN_TRY(sys::checked("stat", [&] { return stat(file.c_str(), &status); }));
    if (status.st_uid == geteuid()) return {};
    sched_yield();
  }
  return Error{.message = concat(quote(file), " belongs to another user after the exec")};
}

Result<void> write_id_maps(pid_t process, const IdMaps& maps) {
  BAWN_TRY(give_up_groups(process));
  BAWN_TRY(write_file(process, "uid_map", id_map_text(maps.users)));
  return write_file(process, "gid_map", id_map_text(maps.groups));
}

// One of the two programs while it runs.
struct IdRangeMapping::Mapper {
  std::string program;
  pid_t child = -1;
  Fd handle;  // pidfd; empty if the child has ended and was reaped
  Fd output;
};

struct IdRangeMapping::State {
  pid_t process;
  IdMaps maps;
  IdMappers mappers;
  std::chrono::milliseconds most;
  Clock::time_point deadline;
  bool maps_groups = false;  // the second of the two programs runs
  Mapper mapper{};

  State(pid_t given_process, IdMaps given_maps, IdMappers given_mappers,
        std::chrono::milliseconds given_most)
      : process(given_process),
        maps(std::move(given_maps)),
        mappers(std::move(given_mappers)),
        most(given_most),
        deadline(Clock::now() + most) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (mapper.child == -1) return;
    kill_mapper();
    why_failed(mapper.child);
  }

  [[nodiscard]] const IdMap& map() const { return maps_groups ? maps.groups : maps.users; }

  void kill_mapper() const {
    if (mapper.handle) syscall(SYS_pidfd_send_signal, mapper.handle.get(), SIGKILL, nullptr, 0);
  }

  Result<void> start_mapper() {
    mapper.program = maps_groups ? mappers.groups : mappers.users;
    BAWN_ASSIGN(sys::PipeEnds output, sys::pipe());
    BAWN_TRY(sys::set_nonblocking(output.read.get()));
    BAWN_ASSIGN(const Fd said, sys::above_stdio(std::move(output.write)));
    mapper.output = std::move(output.read);
    const SpawnOrder order(said.get());
    // Reserves a descriptor for the child's pidfd before the child is started. Without a pidfd the
    // child could not be killed safely, because its pid may be reused.
    BAWN_ASSIGN(Fd room, sys::open_own_process());
    BAWN_ASSIGN(mapper.child, order.start(mapper_argv(mapper.program, process, map())));
    room.reset();
    BAWN_ASSIGN(mapper.handle, open_process(mapper.child));
    return {};
  }

  // The program has ended, or is ended now. Returns what it printed.
  Result<std::string> end_mapper(bool cancelled) {
    const bool ended = has_ended(mapper.handle);
    if (!ended) kill_mapper();
    const std::string failure = why_failed(std::exchange(mapper.child, -1));
    std::string last = last_output(mapper.output.get());
    const std::string program = quote(mapper.program);
    if (!ended && cancelled)
      return Error{.kind = ErrorKind::cancelled,
                   .message = concat(program, " was killed because the run was cancelled; ", last)};
    if (!ended)
      return Error{.message = concat(program, " did not end within ", most.count(), " ms; ", last)};
    if (failure.empty()) return last;
    return Error{.message = concat(program, " refused: ", failure, ", ", last, lost_privilege())};
  }

  // The exit code alone proves nothing, so the map is read back.
  [[nodiscard]] Result<void> verify_map(const std::string& last) const {
    const std::string file = file_of(process, maps_groups ? "gid_map" : "uid_map");
    BAWN_ASSIGN(const std::string text, sys::read_control(AT_FDCWD, file));
    if (parse_id_map(text) == map()) return {};
    return Error{.message =
                     concat(quote(mapper.program), " did not write the id map that was asked for, ",
                            last, ": ", quote(file), " is ", quote(text), " and should be ",
                            quote(id_map_text(map())))};
  }
};

Result<IdRangeMapping> IdRangeMapping::start(pid_t process, IdMaps maps, IdMappers mappers,
                                             std::chrono::milliseconds most) {
  auto state = make_hidden<State>(process, std::move(maps), std::move(mappers), most);
  BAWN_TRY(give_up_groups(process));
  BAWN_TRY(state->start_mapper());
  return IdRangeMapping(std::move(state));
}

int IdRangeMapping::fd() const { return state_->mapper.handle.get(); }

IdRangeMapping::Clock::time_point IdRangeMapping::deadline() const { return state_->deadline; }

Result<bool> IdRangeMapping::step(bool cancelled) {
  if (!has_ended(state_->mapper.handle) && !cancelled && Clock::now() < state_->deadline)
    return false;
  BAWN_ASSIGN(const std::string last, state_->end_mapper(cancelled));
  BAWN_TRY(state_->verify_map(last));
  if (state_->maps_groups) {
    BAWN_TRY(verify_groups(state_->process));
    return true;
  }
  state_->maps_groups = true;
  BAWN_TRY(state_->start_mapper());
  return false;
}

Result<void> map_id_ranges(pid_t process, const IdMaps& maps, const IdMappers& mappers,
                           std::chrono::milliseconds most) {
  BAWN_ASSIGN(IdRangeMapping mapping, IdRangeMapping::start(process, maps, mappers, most));
  for (;;) {
    BAWN_ASSIGN(const bool done, mapping.step());
    if (done) return {};
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(mapping.deadline() - Clock::now());
    pollfd ask{.fd = mapping.fd(), .events = POLLIN, .revents = 0};
    if (mapping.fd() >= 0)
      static_cast<void>(poll(&ask, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))));
  }
}

}  // namespace bawn
