#include "backend/windows/process/job.h"

#include <algorithm>
#include <array>

#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

constexpr std::uint64_t kTicksPerMs = 10'000;  // ticks of 100 ns
// Exit code of processes that are ended with their job; it is not reported.
constexpr UINT kEndedExitCode = 1;

template <class Info>
Result<void> set(HANDLE job, JOBOBJECTINFOCLASS kind, Info info, std::string_view what) {
  if (SetInformationJobObject(job, kind, &info, sizeof info) != 0) return {};
  return system_failure(GetLastError(), what);
}

// All zero if the query fails.
template <class Info>
Info ask(HANDLE job, JOBOBJECTINFOCLASS kind) {
  Info info{};
  if (QueryInformationJobObject(job, kind, &info, sizeof info, nullptr) == 0) return Info{};
  return info;
}

JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit_information(const JobLimits& limits) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION out{};
  JOBOBJECT_BASIC_LIMIT_INFORMATION& basic = out.BasicLimitInformation;
  basic.LimitFlags = kAlwaysLimited;
  basic.PriorityClass = BELOW_NORMAL_PRIORITY_CLASS;
  if (limits.processes) {
    basic.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    basic.ActiveProcessLimit =
        static_cast<DWORD>(std::min<std::uint64_t>(*limits.processes, MAXDWORD));
  }
  if (limits.memory_bytes) {
    basic.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY | JOB_OBJECT_LIMIT_JOB_MEMORY;
    out.ProcessMemoryLimit = *limits.memory_bytes;
    out.JobMemoryLimit = *limits.memory_bytes;
  }
  if (limits.cpu_time_ms) {
    basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_TIME;
    basic.PerJobUserTimeLimit.QuadPart = static_cast<LONGLONG>(*limits.cpu_time_ms * kTicksPerMs);
  }
  return out;
}

// The job only posts a message at the end of its time; the supervisor then ends the run and can say
// why. By default the job would end the processes silently.
Result<void> tell_end_of_time(HANDLE job) {
  const JOBOBJECT_END_OF_JOB_TIME_INFORMATION info{JOB_OBJECT_POST_AT_END_OF_JOB};
  return set(job, JobObjectEndOfJobTimeInformation, info, "have the job tell the end of its time");
}

// Starts this program suspended; it is never resumed.
Handle suspended_process() {
  std::array<wchar_t, 32768> name{};
  if (GetModuleFileNameW(nullptr, name.data(), name.size()) == 0) return Handle();
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION made{};
  if (CreateProcessW(name.data(), nullptr, nullptr, nullptr, FALSE,
                     CREATE_SUSPENDED | CREATE_NO_WINDOW, nullptr, nullptr, &start, &made) == 0) {
    return Handle();
  }
  CloseHandle(made.hThread);
  return Handle(made.hProcess);
}

JobProof try_end_on_close() {
  constexpr DWORD kPatienceMs = 2000;
  auto job = Job::create({});
  const Handle process = suspended_process();
  if (!job || !process) return {false, "a job could not be tried out"};
  const bool inside = job.value().take_in(process.get()).ok();
  job.value().close();
  const bool ended = inside && WaitForSingleObject(process.get(), kPatienceMs) == WAIT_OBJECT_0;
  if (!ended) TerminateProcess(process.get(), kEndedExitCode);
  return {ended, ended ? "tried: a process ended when its job was closed; the system does not tell "
                         "a job's limits"
                       : "tried: a process outlived its job"};
}

}  // namespace

Result<Job> Job::create(const JobLimits& limits) {
  Handle handle(CreateJobObjectW(nullptr, nullptr));
  if (!handle) return system_failure(GetLastError(), "create the job");
  BAWN_TRY(set(handle.get(), JobObjectExtendedLimitInformation, limit_information(limits),
               "set the job's limits"));
  if (limits.cpu_time_ms) BAWN_TRY(tell_end_of_time(handle.get()));
  BAWN_TRY(set(handle.get(), JobObjectBasicUIRestrictions,
               JOBOBJECT_BASIC_UI_RESTRICTIONS{kUiRestrictions},
               "keep the job from the user's windows"));
  return Job(std::move(handle));
}

Result<void> Job::report_to(HANDLE port, ULONG_PTR key) const {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the system declares the key as a pointer
  const JOBOBJECT_ASSOCIATE_COMPLETION_PORT target{reinterpret_cast<void*>(key), port};
  return set(job_.get(), JobObjectAssociateCompletionPortInformation, target,
             "connect the job's reports");
}

JobReadback Job::read_back() const {
  const auto limits =
      ask<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(job_.get(), JobObjectExtendedLimitInformation);
  const auto ui = ask<JOBOBJECT_BASIC_UI_RESTRICTIONS>(job_.get(), JobObjectBasicUIRestrictions);
  const JOBOBJECT_BASIC_LIMIT_INFORMATION& basic = limits.BasicLimitInformation;
  return {
      .limit_flags = basic.LimitFlags,
      .processes = basic.ActiveProcessLimit,
      .process_memory = limits.ProcessMemoryLimit,
      .job_memory = limits.JobMemoryLimit,
      .cpu_time_ms = static_cast<std::uint64_t>(basic.PerJobUserTimeLimit.QuadPart) / kTicksPerMs,
      .priority_class = basic.PriorityClass,
      .ui_restrictions = ui.UIRestrictionsClass};
}

Result<void> Job::take_in(HANDLE process) const {
  if (AssignProcessToJobObject(job_.get(), process) == 0)
    return system_failure(GetLastError(), "put the process into its job");
  BOOL inside = FALSE;
  if (IsProcessInJob(process, job_.get(), &inside) == 0)
    return system_failure(GetLastError(), "ask whether the process is in its job");
  if (inside == FALSE) return unsupported_error("the process is not in its job");
  constexpr DWORD kWaysOut = JOB_OBJECT_LIMIT_BREAKAWAY_OK | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
  if ((read_back().limit_flags & kWaysOut) != 0) return unsupported_error("the job can be left");
  return {};
}

void Job::terminate() const { TerminateJobObject(job_.get(), kEndedExitCode); }

bool Job::is_empty() const {
  return ask<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>(job_.get(),
                                                     JobObjectBasicAccountingInformation)
             .ActiveProcesses == 0;
}

Usage Job::usage() const {
  const auto time =
      ask<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>(job_.get(), JobObjectBasicAccountingInformation);
  const auto memory =
      ask<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(job_.get(), JobObjectExtendedLimitInformation);
  return {.cpu_user_ms = static_cast<std::uint64_t>(time.TotalUserTime.QuadPart) / kTicksPerMs,
          .cpu_system_ms = static_cast<std::uint64_t>(time.TotalKernelTime.QuadPart) / kTicksPerMs,
          .max_rss_bytes = memory.PeakJobMemoryUsed};
}

std::uint64_t Job::cpu_time_us() const {
  const auto time =
      ask<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>(job_.get(), JobObjectBasicAccountingInformation);
  return static_cast<std::uint64_t>(time.TotalUserTime.QuadPart + time.TotalKernelTime.QuadPart) /
         10;
}

JobProof prove_end_on_close(const Job& job) {
  const DWORD flags = job.read_back().limit_flags;
  if ((flags & JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE) != 0)
    return {true, "QueryInformationJobObject: KILL_ON_JOB_CLOSE, and no breakaway"};
  if (flags != 0) return {false, "QueryInformationJobObject: KILL_ON_JOB_CLOSE is not set"};
  return try_end_on_close();
}

}  // namespace bawn::windows
