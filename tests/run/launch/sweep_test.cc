// Every system call of a launch fails once: in bawn, in init, in init's thread that makes the
// network, and in the command's process until its exec.
//
// A tracer makes the N-th call of one of the four fail with EIO. Some calls may fail, for example
// close(). So the run need not be refused. Either the command never ran, and the outcome says so,
// or it found the whole sandbox.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

#include "observer.h"

#if defined(__x86_64__)

namespace bawn {
namespace {

enum class Role { bawn, init, network, command };
const char* name_of(Role role) {
  constexpr std::array kNames = {"bawn", "init", "network", "command"};
  return kNames[static_cast<std::size_t>(role)];
}

// The process whose calls fail, and the kind of run.
struct Swept {
  Role role;
  Observer::First first;
};
std::string name_of(const Swept& swept) {
  const std::string name = name_of(swept.role);
  return swept.first == Observer::First::command ? name + "_of_process_1" : name;
}
void PrintTo(const Swept& swept, std::ostream* out) { *out << name_of(swept); }

struct Injection {
  Role role;
  int number;
};

struct Launch {
  int status = 0;  // of the process that called bawn
  int calls = 0;   // of the role under test
  long failed_call = -1;
};

enum Answer { worked = 0, refused = 1, neither = 2 };

// Follows one launch and makes one call fail. Only the role under test is stopped at its calls, and
// only until then: a stop costs more than the call.
class Tracer {
 public:
  Tracer(pid_t first, const Injection& injection) : injection_(injection) {
    processes_[first].role = Role::bawn;
    resume(first, 0);
  }

  Launch run() {
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL);
      if (pid == -1) return launch_;
      if (WIFSTOPPED(status)) {
        handle_stop(pid, status);
        continue;
      }
      // An orphan of the run that this process inherited is not among them.
      const auto ended = processes_.find(pid);
      if (ended == processes_.end()) continue;
      if (ended->second.role == Role::bawn) launch_.status = status;
      processes_.erase(ended);
    }
  }

 private:
  struct Process {
    std::optional<Role> role{};  // unknown until its parent's event has arrived
    bool inside_call = false;
    bool failing = false;
  };

  void resume(pid_t pid, int signal) {
    const bool watch = !injected_ && processes_[pid].role == injection_.role;
    ptrace(watch ? PTRACE_SYSCALL : PTRACE_CONT, pid, nullptr, signal);
  }

  void handle_stop(pid_t pid, int status) {
    constexpr int kCallStop = SIGTRAP | 0x80;
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    Process& process = processes_[pid];
    if (!process.role) return;  // a new process waits for its parent's event
    if (signal == kCallStop) {
      handle_call(pid, process);
    } else if (event == PTRACE_EVENT_EXEC && process.role == Role::command) {
      ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
      processes_.erase(pid);
      return;
    } else if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK ||
               event == PTRACE_EVENT_VFORK) {
      adopt_child(pid, *process.role, event);
    }
    const bool ours = event != 0 || signal == kCallStop || signal == SIGSTOP || signal == SIGTRAP;
    resume(pid, ours ? 0 : signal);
  }

  void adopt_child(pid_t parent, Role role, int event) {
    unsigned long number = 0;
    ptrace(PTRACE_GETEVENTMSG, parent, nullptr, &number);
    const auto child = static_cast<pid_t>(number);
    const bool waits = processes_.contains(child);
    const Role of_init = event == PTRACE_EVENT_CLONE ? Role::network : Role::command;
    processes_[child].role = role == Role::bawn ? Role::init : of_init;
    if (waits) resume(child, 0);
  }

  void handle_call(pid_t pid, Process& process) {
    process.inside_call = !process.inside_call;
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, pid, nullptr, &registers);
    if (process.inside_call) {
      const int number = launch_.calls++;
      process.failing = number == injection_.number && may_fail(registers.orig_rax);
      if (!process.failing) return;
      launch_.failed_call = static_cast<long>(registers.orig_rax);
      registers.orig_rax = ~0ULL;  // no such call
    } else if (process.failing) {
      process.failing = false;
      injected_ = true;
      registers.rax = static_cast<unsigned long long>(-EIO);
    } else {
      return;
    }
    ptrace(PTRACE_SETREGS, pid, nullptr, &registers);
  }

  // Without the first calls a process cannot even end. brk() returns an address and has no errno.
  static bool may_fail(unsigned long long call) {
    return call != SYS_exit && call != SYS_exit_group && call != SYS_rt_sigreturn &&
           call != SYS_restart_syscall && call != SYS_brk;
  }

  Injection injection_;
  bool injected_ = false;
  std::map<pid_t, Process> processes_;
  Launch launch_;
};

Launch break_launch(const Observer& observer, Observer::First first, const Injection& injection) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    const Outcome outcome = observer.run(first);
    if (outcome.success()) _exit(worked);
    _exit(is_refusal(outcome) ? refused : neither);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, nullptr,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
             PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  return Tracer(child, injection).run();
}

// All calls take more than a minute: BAWN_SWEEP=all. Otherwise a sample, and another one in the
// next run.
constexpr int kSample = 100;
int stride(int calls) {
  const char* wish = std::getenv("BAWN_SWEEP");
  return wish != nullptr && std::string_view(wish) == "all" ? 1 : std::max(1, calls / kSample);
}

class Sweep : public testing::TestWithParam<Swept> {};

TEST_P(Sweep, FindsNoCallWhoseFailureWeakensTheSandbox) {
  const auto [role, first] = GetParam();
  const Observer observer;
  inherit_orphans();
  const std::string before = observer.traces();
  const Launch whole = break_launch(observer, first, {role, -1});
  ASSERT_EQ(whole.status, 0) << "an undisturbed run works under the tracer";
  ASSERT_EQ(observer.found(), "sound");
  const int step = stride(whole.calls);
  int injected = 0;
  int refusals = 0;
  for (int number = getpid() % step; number < whole.calls; number += step) {
    const Launch broken = break_launch(observer, first, {role, number});
    if (broken.failed_call != -1) ++injected;
    const auto found = observer.found();
    const std::string place = name_of(GetParam()) + " call " + std::to_string(number) +
                              " (system call " + std::to_string(broken.failed_call) + ")";
    ASSERT_TRUE(WIFEXITED(broken.status)) << place << ": bawn died of it";
    if (found) {
      EXPECT_TRUE(*found == "sound" || *found == "ended early") << place << ": " << *found;
    } else {
      EXPECT_EQ(WEXITSTATUS(broken.status), refused) << place << ": it did not run";
      ++refusals;
    }
    EXPECT_EQ(observer.traces(), before) << place;
  }
  EXPECT_GT(injected, role == Role::network ? 4 : 20) << "the failures were really injected";
  if (step == 1) {
    EXPECT_GT(refusals, 4) << "and reached the launch";
  }
}

using enum Observer::First;
INSTANTIATE_TEST_SUITE_P(Of, Sweep,
                         testing::Values(Swept{Role::bawn, init}, Swept{Role::init, init},
                                         Swept{Role::network, init}, Swept{Role::command, init},
                                         Swept{Role::init, command}, Swept{Role::command, command}),
                         [](const auto& swept) { return name_of(swept.param); });

}  // namespace
}  // namespace bawn

#endif
