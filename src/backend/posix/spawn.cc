#include "backend/posix/spawn.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "backend/posix/closed_exec.h"
#include "backend/posix/exit_event.h"
#include "base/text.h"
#include "host/rlimit.h"
#include "sys/call.h"
#include "sys/pipe.h"

namespace bawn::posix {
namespace {

enum class SpawnStep : int { none, session, signals, stdio, directory, limit, execute };

constexpr std::size_t kMostLimits = 8;

// The child's report before it executes the command. A failed exec sends a second report; a
// successful one closes the pipe.
struct SpawnReport {
  SpawnStep step = SpawnStep::none;
  int error = 0;
  int index = 0;
  std::array<std::uint64_t, kMostLimits> limits{};
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  // execve takes char* but does not modify the strings.
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));  // NOLINT
  out.push_back(nullptr);
  return out;
}

// Everything that the child needs, allocated before the fork. Member functions run in the child.
struct Child {
  const SpawnOrder& order;
  const ClosedExec& exec;
  std::vector<char*> argv;
  std::vector<char*> environment;
  int report_fd;

  [[noreturn]] void run() const {
    SpawnReport report;
    report.error = prepare(report);
    send(report);
    if (report.error == 0) {
      report = {.step = SpawnStep::execute,
                .error = exec.run(order.program.c_str(), argv.data(), environment.data())};
      send(report);
    }
    _exit(127);
  }

 private:
  void send(const SpawnReport& report) const {
    sys::retried([&] { return ::write(report_fd, &report, sizeof report); });
  }

  int prepare(SpawnReport& report) const {
    report.step = SpawnStep::session;
    if (::setsid() == -1) return errno;
    report.step = SpawnStep::signals;
    if (const int error = reset_signals()) return error;
    report.step = SpawnStep::stdio;
    if (const int error = place_stdio()) return error;
    report.step = SpawnStep::directory;
    if (::chdir(order.directory.c_str()) != 0) return errno;
    ::umask(022);
    report.step = SpawnStep::limit;
    return set_limits(report);
  }

  // Ignored signals and the signal mask are inherited across exec.
  static int reset_signals() {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) {
      if (signal != SIGKILL && signal != SIGSTOP) ::sigaction(signal, &standard, nullptr);
    }
    sigset_t none;
    sigemptyset(&none);
    return ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  }

  // Each descriptor is above 2 or already in place, so no dup2 overwrites another.
  [[nodiscard]] int place_stdio() const {
    for (int number = 0; number < 3; ++number) {
      const int file = order.stdio[static_cast<std::size_t>(number)];
      if (file != number && sys::retried([&] { return ::dup2(file, number); }) == -1) return errno;
    }
    return 0;
  }

  // A hard limit that is already lower stays: a policy limits and never raises.
  int set_limits(SpawnReport& report) const {
    for (std::size_t i = 0; i < order.limits.size(); ++i) {
      report.index = static_cast<int>(i);
      const int resource = rlimit_resource(order.limits[i].limit);
      struct rlimit was {};
      if (::getrlimit(resource, &was) != 0) return errno;
      const rlim_t wanted = std::min<rlim_t>(order.limits[i].value, was.rlim_max);
      const struct rlimit now = {wanted, wanted};
      if (::setrlimit(resource, &now) != 0) return errno;
      struct rlimit got {};
      if (::getrlimit(resource, &got) != 0) return errno;
      if (got.rlim_cur > order.limits[i].value) return EPERM;
      report.limits[i] = got.rlim_cur;
    }
    return 0;
  }
};

std::string_view words(SpawnStep step) {
  switch (step) {
    case SpawnStep::session:
      return "start a session";
    case SpawnStep::signals:
      return "reset the signals";
    case SpawnStep::stdio:
      return "connect stdin, stdout and stderr";
    case SpawnStep::directory:
      return "enter the working directory";
    case SpawnStep::limit:
      return "set";
    case SpawnStep::execute:
      return "execute";
    case SpawnStep::none:
      break;
  }
  return "start";
}

Error failure(const SpawnReport& report, const SpawnOrder& order) {
  const auto about = [&]() -> std::string {
    if (report.step == SpawnStep::directory) return concat(" ", quote(order.directory));
    if (report.step == SpawnStep::execute) return concat(" ", quote(order.program));
    if (report.step == SpawnStep::limit)
      return concat(" ", rlimit_name(order.limits[static_cast<std::size_t>(report.index)].limit));
    return "";
  };
  Error error = system_error(report.error, concat(words(report.step), about()));
  const bool no_program =
      report.error == ENOEXEC || report.error == EACCES || report.error == ENOENT;
  if (report.step == SpawnStep::execute && no_program) error.kind = ErrorKind::invalid;
  return error;
}

// Reads one whole report; false at the end of the pipe.
bool receive(int fd, SpawnReport& report) {
  const ssize_t got = sys::retried([&] { return ::read(fd, &report, sizeof report); });
  return got == static_cast<ssize_t>(sizeof report);
}

// The caller's signal handlers must not run in the child. So all signals are blocked until the
// child has reset them.
Result<pid_t> fork_quietly(const Child& child) {
  sigset_t all;
  sigset_t previous;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &previous);
  const pid_t pid = ::fork();
  const int error = errno;
  if (pid == 0) child.run();
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  if (pid == -1) return system_error(error, "fork");
  return pid;
}

void reap(pid_t pid) {
  ::kill(pid, SIGKILL);
  sys::retried([&] { return ::waitpid(pid, nullptr, 0); });
}

Result<Spawned> after_fork(pid_t pid, int report_fd, const SpawnOrder& order) {
  SpawnReport ready;
  if (!receive(report_fd, ready)) return invalid_error("the new process ended before it was ready");
  if (ready.error != 0) return failure(ready, order);
  SpawnReport failed;
  if (receive(report_fd, failed)) return failure(failed, order);
  BAWN_ASSIGN(Fd exited, exit_event(pid));
  const auto end = ready.limits.begin() + static_cast<std::ptrdiff_t>(order.limits.size());
  return Spawned{pid, std::move(exited), std::vector<std::uint64_t>(ready.limits.begin(), end)};
}

}  // namespace

Result<Spawned> spawn(const SpawnOrder& order) {
  if (order.limits.size() > kMostLimits) return invalid_error("more limits than there are");
  BAWN_ASSIGN(sys::PipeEnds reports, sys::pipe());
  BAWN_ASSIGN(const ClosedExec exec, ClosedExec::prepare());
  const Child child{order, exec, pointers(order.argv), pointers(order.environment),
                    reports.write.get()};
  BAWN_ASSIGN(const pid_t pid, fork_quietly(child));
  reports.write.reset();
  Result<Spawned> spawned = after_fork(pid, reports.read.get(), order);
  if (!spawned) reap(pid);
  return spawned;
}

}  // namespace bawn::posix
