// Every system call of a launch fails once, in bawn, in the keeper and in the command's process until its exec.
//
// A tracer makes the N-th call of one of the three answer EIO. Some calls may fail (a close, a hint), so what is asked is not
// that the run was refused: the command either never ran, and the outcome says so, or found the whole sandbox around it.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>

#include "witness.h"

#if defined(__x86_64__)

namespace bawn {
namespace {

enum class Role { bawn, keeper, payload };
const char* name_of(Role role) {
  return role == Role::bawn ? "bawn" : role == Role::keeper ? "keeper" : "payload";
}

struct Injection {
  Role role;
  int number;
};

struct Swept {
  int status = 0;               // of the process that called bawn
  std::map<Role, int> calls{};  // how many each role made
  long failed_call = -1;
};

enum Answer { worked = 0, refused = 1, neither = 2 };

// Follows one launch and lets one call fail.
class Tracer {
 public:
  Tracer(pid_t first, const Injection& injection) : injection_(injection) {
    processes_[first] = {Role::bawn};
  }

  Swept run() {
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid == -1) return swept_;
      if (WIFEXITED(status) || WIFSIGNALED(status)) {
        const auto ended = processes_.find(pid);  // an orphan of the run that became ours is not among them
        if (ended == processes_.end()) continue;
        if (ended->second.role == Role::bawn) swept_.status = status;
        processes_.erase(ended);
        continue;
      }
      handle_stop(pid, status);
    }
  }

 private:
  struct Process {
    Role role = Role::bawn;
    bool inside_call = false;
    bool failing = false;
  };

  void handle_stop(pid_t pid, int status) {
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    if (signal == (SIGTRAP | 0x80)) {
      handle_call(pid);
    } else if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) {
      unsigned long child = 0;
      ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child);
      processes_[static_cast<pid_t>(child)].role =
          processes_[pid].role == Role::bawn ? Role::keeper : Role::payload;
    } else if (event == PTRACE_EVENT_EXEC && processes_[pid].role == Role::payload) {
      ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
      processes_.erase(pid);
      return;
    }
    const bool ours = event != 0 || signal == (SIGTRAP | 0x80) || signal == SIGSTOP || signal == SIGTRAP;
    ptrace(PTRACE_SYSCALL, pid, nullptr, ours ? 0 : signal);
  }

  void handle_call(pid_t pid) {
    Process& process = processes_[pid];
    process.inside_call = !process.inside_call;
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, pid, nullptr, &registers);
    if (process.inside_call) {
      const int number = swept_.calls[process.role]++;
      process.failing =
          process.role == injection_.role && number == injection_.number && may_fail(registers.orig_rax);
      if (!process.failing) return;
      swept_.failed_call = static_cast<long>(registers.orig_rax);
      registers.orig_rax = ~0ULL;  // no such call
    } else if (process.failing) {
      process.failing = false;
      registers.rax = static_cast<unsigned long long>(-EIO);
    } else {
      return;
    }
    ptrace(PTRACE_SETREGS, pid, nullptr, &registers);
  }

  // Without these a process cannot even end.
  static bool may_fail(unsigned long long call) {
    return call != SYS_exit && call != SYS_exit_group && call != SYS_rt_sigreturn &&
           call != SYS_restart_syscall;
  }

  Injection injection_;
  std::map<pid_t, Process> processes_;
  Swept swept_;
};

Swept sweep(const Witness& witness, const Injection& injection) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    const Outcome outcome = witness.run();
    if (outcome.success()) _exit(worked);
    _exit(is_refusal(outcome) ? refused : neither);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, nullptr,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
             PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  ptrace(PTRACE_SYSCALL, child, nullptr, 0);
  return Tracer(child, injection).run();
}

// Every one would take minutes; a stride that shares no factor with earlier ones visits others each time it is changed.
int stride() {
  const char* wish = std::getenv("BAWN_SWEEP_STRIDE");
  return wish == nullptr ? 3 : std::atoi(wish);
}

class Sweep : public testing::TestWithParam<Role> {};

TEST_P(Sweep, FindsNoCallWhoseFailureWeakensTheSandbox) {
  const Witness witness;
  inherit_orphans();
  const std::string before = host_state();
  const Swept whole = sweep(witness, {GetParam(), -1});
  ASSERT_EQ(whole.status, 0) << "an undisturbed run works under the tracer";
  ASSERT_EQ(witness.found(), "sound");
  int refusals = 0;
  for (int number = 0; number < whole.calls.at(GetParam()); number += stride()) {
    const Swept swept = sweep(witness, {GetParam(), number});
    const auto found = witness.found();
    const std::string place = std::string(name_of(GetParam())) + " call " + std::to_string(number) +
                              " (system call " + std::to_string(swept.failed_call) + ")";
    if (found) {
      EXPECT_EQ(*found, "sound") << place;
    }
    ASSERT_TRUE(WIFEXITED(swept.status)) << place << ": bawn died of it";
    if (WEXITSTATUS(swept.status) == worked) {
      EXPECT_TRUE(found) << place << ": said to have run";
    }
    if (WEXITSTATUS(swept.status) == refused) {
      ++refusals;
    }
    EXPECT_EQ(host_state(), before) << place;
  }
  EXPECT_GT(refusals, 5) << "the injected failures reached the launch";
}

INSTANTIATE_TEST_SUITE_P(Of, Sweep, testing::Values(Role::bawn, Role::keeper, Role::payload),
                         [](const auto& role) { return std::string(name_of(role.param)); });

}  // namespace
}  // namespace bawn

#endif
