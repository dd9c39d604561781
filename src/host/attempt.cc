#include "host/attempt.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/text.h"
#include "sys/call.h"
#include "sys/control_file.h"
#include "sys/pipe.h"

namespace bawn {
namespace {

bool write_own(const char* file, const std::string& text) {
  const auto written = sys::write_control(AT_FDCWD, concat("/proc/self/", std::string_view(file)), text);
  if (!written) errno = written.error().sys_errno;
  return written.ok();
}

// One id each, onto itself: the only map that the kernel lets an unprivileged process write.
Attempt map_own_ids(uid_t user, gid_t group) {
  if (!write_own("setgroups", "deny")) return failed_on_file("write 'deny' to /proc/self/setgroups");
  if (!write_own("gid_map", concat(group, " ", group, " 1\n")))
    return failed_on_file("write /proc/self/gid_map");
  if (!write_own("uid_map", concat(user, " ", user, " 1\n")))
    return failed_on_file("write /proc/self/uid_map");
  return {};
}

[[noreturn]] void be_child(unsigned long namespaces, Attempt (*work)(), uid_t user, gid_t group, int answer) {
  Attempt attempt;
  if ((namespaces & CLONE_NEWUSER) != 0) attempt = map_own_ids(user, group);
  if (attempt.worked()) attempt = work();
  const bool told = write(answer, &attempt, sizeof attempt) == sizeof attempt;
  _exit(told ? 0 : 1);
}

Attempt answer_of(int pipe, pid_t child) {
  Attempt attempt;
  const ssize_t got = sys::retried([&] { return read(pipe, &attempt, sizeof attempt); });
  int status = 0;
  sys::retried([&] { return waitpid(child, &status, 0); });
  if (got == static_cast<ssize_t>(sizeof attempt)) return attempt;
  const bool filtered = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
  return without_effect(filtered ? "the child was killed by a seccomp filter" : "the child died");
}

}  // namespace

Attempt failed_at(const char* step) { return {.failed_step = step, .sys_errno = errno}; }

Attempt failed_on_file(const char* step) {
  return {.failed_step = step, .sys_errno = errno, .on_file = true};
}

Attempt without_effect(const char* step) { return {.failed_step = step}; }

Attempt worked_with(int number) { return {.number = number}; }

std::string describe(const Attempt& attempt) {
  if (attempt.worked()) return "works";
  const std::string_view step = attempt.failed_step;
  return attempt.sys_errno == 0 ? std::string(step) : concat(step, ": ", errno_text(attempt.sys_errno));
}

Attempt attempt_in_child(unsigned long namespaces, Attempt (*work)()) {
  auto answer = sys::pipe();
  if (!answer) return {.failed_step = "pipe", .sys_errno = answer.error().sys_errno};
  const uid_t user = geteuid();
  const gid_t group = getegid();
  // Without a stack of its own the child goes on here, as after fork().
  const auto child = static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0));
  if (child == -1) return failed_at(kCloneStep);
  if (child == 0) be_child(namespaces, work, user, group, answer.value().write.get());
  answer.value().write.reset();
  return answer_of(answer.value().read.get(), child);
}

}  // namespace bawn
