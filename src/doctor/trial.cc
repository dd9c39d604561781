#include "doctor/trial.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
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
  const auto written =
      sys::write_control(AT_FDCWD, concat("/proc/self/", std::string_view(file)), text);
  if (!written) errno = written.error().sys_errno;
  return written.ok();
}

// Maps one uid and one gid to themselves: the kernel allows an unprivileged process no other map.
Trial map_own_ids(uid_t user, gid_t group) {
  if (!write_own("setgroups", "deny"))
    return failed_on_file("write 'deny' to /proc/self/setgroups");
  if (!write_own("gid_map", concat(group, " ", group, " 1\n")))
    return failed_on_file("write /proc/self/gid_map");
  if (!write_own("uid_map", concat(user, " ", user, " 1\n")))
    return failed_on_file("write /proc/self/uid_map");
  return {};
}

// As a run does it, but for one thing: init is dumpable after its exec, and this child has none.
Trial be_mapped(uid_t user, gid_t group) {
  if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == -1) return failed_at("prctl(PR_SET_DUMPABLE)");
  return map_own_ids(user, group);
}

[[noreturn]] void be_child(unsigned long namespaces, Trial (*work)(), uid_t user, gid_t group,
                           int answer) {
  Trial trial;
  if ((namespaces & CLONE_NEWUSER) != 0) trial = be_mapped(user, group);
  if (trial.worked()) trial = work();
  const bool told = write(answer, &trial, sizeof trial) == sizeof trial;
  _exit(told ? 0 : 1);
}

Trial answer_of(int pipe, pid_t child) {
  Trial trial;
  const ssize_t got = sys::retried([&] { return read(pipe, &trial, sizeof trial); });
  int status = 0;
  sys::retried([&] { return waitpid(child, &status, 0); });
  if (got == static_cast<ssize_t>(sizeof trial)) return trial;
  const bool filtered = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
  return without_effect(filtered ? "the child was killed by a seccomp filter" : "the child died");
}

}  // namespace

Trial failed_at(const char* step) { return {.failed_step = step, .sys_errno = errno}; }

Trial failed_on_file(const char* step) {
  return {.failed_step = step, .sys_errno = errno, .on_file = true};
}

Trial without_effect(const char* step) { return {.failed_step = step}; }

Trial worked_with(int number) { return {.number = number}; }

std::string describe(const Trial& trial) {
  if (trial.worked()) return "works";
  const std::string_view step = trial.failed_step;
  return trial.sys_errno == 0 ? std::string(step) : concat(step, ": ", errno_text(trial.sys_errno));
}

Trial try_in_child(unsigned long namespaces, Trial (*work)()) {
  auto answer = sys::pipe();
  if (!answer) return {.failed_step = "pipe", .sys_errno = answer.error().sys_errno};
  const uid_t user = geteuid();
  const gid_t group = getegid();
  // With a null stack, clone continues here in the child, as fork() does.
  const auto child = static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0));
  if (child == -1) return failed_at(kCloneStep);
  if (child == 0) be_child(namespaces, work, user, group, answer.value().write.get());
  answer.value().write.reset();
  return answer_of(answer.value().read.get(), child);
}

}  // namespace bawn
