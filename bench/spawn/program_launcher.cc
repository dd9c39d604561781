#include "bench/spawn/program_launcher.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "bench/spawn/parallel.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::bench {
namespace {

constexpr const char* kNothing = "/dev/null";

// Drops BAWN_POLICY and the like: with them `bawn run` would do other work than the library call.
std::vector<char*> caller_environment() {
  std::vector<char*> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("BAWN_")) out.push_back(*entry);
  }
  out.push_back(nullptr);
  return out;
}

// A command as argv and envp. Everything is allocated before the clock starts.
class Start {
 public:
  Start(std::vector<std::string> argv, int filter)
      : words_(std::move(argv)), environment_(caller_environment()) {
    for (std::string& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    if (filter != -1) filter_path_ = concat("/proc/self/fd/", filter);
  }

  // `error_fd` becomes stderr; -1: /dev/null.
  Result<pid_t> spawn(int error_fd) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, kNothing, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, kNothing, O_WRONLY, 0);
    if (error_fd == -1) {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, kNothing, O_WRONLY, 0);
    } else {
      posix_spawn_file_actions_adddup2(&actions, error_fd, STDERR_FILENO);
    }
    // Reopened for each run, because each run reads it from start to end.
    if (!filter_path_.empty())
      posix_spawn_file_actions_addopen(&actions, kFilterFd, filter_path_.c_str(), O_RDONLY, 0);
    pid_t pid = -1;
    const int error =
        posix_spawn(&pid, program(), &actions, nullptr, argv_.data(), environment_.data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return system_error(error, concat("start ", quote(program())));
    return pid;
  }

  // Like spawn(), but with fork(), which copies this process's memory.
  Result<pid_t> fork_and_exec() {
    const pid_t pid = fork();
    if (pid == -1) return system_error(errno, "fork");
    if (pid == 0) become();
    return pid;
  }

 private:
  [[nodiscard]] const char* program() const { return argv_.front(); }

  // NOLINTBEGIN(android-cloexec-*): the program inherits these files
  [[noreturn]] void become() {
    const int nothing = open(kNothing, O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, fd);
    if (!filter_path_.empty()) dup2(open(filter_path_.c_str(), O_RDONLY), kFilterFd);
    execve(program(), argv_.data(), environment_.data());
    _exit(127);
  }
  // NOLINTEND(android-cloexec-*)

  std::vector<std::string> words_;
  std::vector<char*> argv_;
  std::vector<char*> environment_;
  std::string filter_path_;
};

Result<void> require_success(int status) {
  if (WIFSIGNALED(status)) return invalid_error(concat("ended by signal ", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) return invalid_error(concat("exit code ", WEXITSTATUS(status)));
  return {};
}

Result<int> wait_for(pid_t pid, rusage* usage = nullptr) {
  int status = 0;
  BAWN_TRY(sys::checked("wait", [&] { return wait4(pid, &status, 0, usage); }));
  return status;
}

// The first line of `file` that is not empty.
std::string first_line(int file) {
  std::array<char, 4096> start{};
  const ssize_t got = pread(file, start.data(), start.size(), 0);
  const std::string_view text(start.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) return std::string(line);
  }
  return "";
}

}  // namespace

ProgramLauncher::ProgramLauncher(std::string name, std::string isolation, LaunchLine command)
    : Launcher(std::move(name), std::move(isolation)), command_(std::move(command)) {}

std::vector<std::string> ProgramLauncher::next_argv() {
  std::vector<std::string> argv = command_.argv;
  if (command_.numbered) argv.back() += std::to_string(runs_.fetch_add(1));
  return argv;
}

Result<void> ProgramLauncher::try_once() {
  BAWN_ASSIGN(const int memory,
              sys::checked("memfd_create", [] { return memfd_create("stderr", MFD_CLOEXEC); }));
  const Fd messages(memory);
  BAWN_ASSIGN(const pid_t pid, Start(next_argv(), command_.filter).spawn(messages.get()));
  BAWN_ASSIGN(const int status, wait_for(pid));
  auto ended = require_success(status);
  const std::string said = first_line(messages.get());
  if (ended || said.empty()) return ended;
  return invalid_error(concat(said, " (", ended.error().message, ")"));
}

Result<Elapsed> ProgramLauncher::run_once() {
  Start start(next_argv(), command_.filter);
  const auto begun = Clock::now();
  BAWN_ASSIGN(const pid_t pid, start.spawn(-1));
  BAWN_ASSIGN(const int status, wait_for(pid));
  const Elapsed elapsed = Clock::now() - begun;
  BAWN_TRY(require_success(status));
  return elapsed;
}

Result<Elapsed> ProgramLauncher::run_many(unsigned parallel, unsigned count) {
  return time_parallel(parallel, count, [this]() -> Result<void> {
    BAWN_TRY(run_once());
    return {};
  });
}

// The kernel counts memory from before the exec towards a process's peak. A child of posix_spawn
// shares all of our memory until then; a child of fork() has copies only of the few pages that were
// written.
Result<std::optional<long>> ProgramLauncher::peak_rss_kib() {
  BAWN_ASSIGN(const pid_t pid, Start(next_argv(), command_.filter).fork_and_exec());
  rusage usage{};
  BAWN_ASSIGN(const int status, wait_for(pid, &usage));
  BAWN_TRY(require_success(status));
  return std::optional<long>(usage.ru_maxrss);
}

}  // namespace bawn::bench
