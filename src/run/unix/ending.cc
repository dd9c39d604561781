#include "run/unix/ending.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/text.h"
#include "policy/text/hint.h"
#include "supervise/ending.h"

namespace bawn {

void take_wait_status(int status, Outcome& outcome) {
  if (WIFEXITED(status)) {
    outcome.status = Status::exited;
    outcome.exit_code = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    outcome.status = Status::signaled;
    outcome.signal = WTERMSIG(status);
  }
}

namespace {

Failure callers_cpu_limit(int signal, std::uint64_t seconds) {
  return {FailureKind::runtime_failure,
          concat("signal ", signal, ": the CPU-time limit of ", seconds,
                 " s that bawn itself was started with (RLIMIT_CPU) may have been reached, or a "
                 "process has sent the signal"),
          "", "start bawn with a higher limit; 'ulimit -H -t' prints it"};
}

}  // namespace

void name_kernel_limit(const Limits& limits, const Limit& callers_cpu_seconds, Outcome& outcome) {
  if (!outcome.signal) return;
  constexpr std::uint64_t kRoundedMs = 10;  // usage is the sum of rounded numbers
  const std::uint64_t cpu_ms = outcome.usage.cpu_user_ms + outcome.usage.cpu_system_ms;
  const bool by_cpu = *outcome.signal == SIGXCPU || *outcome.signal == SIGKILL;
  if (*outcome.signal == SIGXFSZ && limits.file_bytes) {
    outcome.error =
        Failure{FailureKind::runtime_failure,
                concat("signal SIGXFSZ: the file-size limit of ", *limits.file_bytes,
                       " bytes may have been reached, or a process has sent the signal"),
                "",
                concat("if the command writes larger files, ",
                       raise_limit("limits.file_bytes", limits.file_bytes))};
  } else if (by_cpu && limits.cpu_time_ms && cpu_ms >= *limits.cpu_time_ms) {
    end_by_quota(outcome, "cpu_time",
                 concat("the CPU-time limit of ", *limits.cpu_time_ms, " ms was reached"),
                 raise_limit("limits.cpu_time_ms", limits.cpu_time_ms));
  } else if (by_cpu && callers_cpu_seconds && cpu_ms + kRoundedMs >= *callers_cpu_seconds * 1000) {
    outcome.error = callers_cpu_limit(*outcome.signal, *callers_cpu_seconds);
  }
}

}  // namespace bawn
