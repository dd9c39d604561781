// The Job Object of a run: it limits, ends and accounts for every process that the run starts.
//
// It is made before the process and never allows breakaway, so no process of the run is ever
// outside. When the last handle is closed, the kernel ends all of them, even if bawn was killed.
#pragma once

#include <cstdint>

#include "backend/windows/handle.h"
#include "base/result.h"
#include "outcome/outcome.h"
#include "policy/limit.h"

namespace bawn::windows {

struct JobLimits {
  Limit processes;
  Limit memory_bytes;  // of each process, and of all together
  Limit cpu_time_ms;   // of all together
};

// The limits as QueryInformationJobObject returns them. All zero where the system accepts limits
// but does not report them (wine).
struct JobReadback {
  DWORD limit_flags = 0;
  std::uint64_t processes = 0;
  std::uint64_t process_memory = 0;
  std::uint64_t job_memory = 0;
  std::uint64_t cpu_time_ms = 0;
  DWORD priority_class = 0;
  DWORD ui_restrictions = 0;
};

// Set on every job, whatever the policy says: no access to the user's windows, clipboard and
// session, and the end of all processes with the job.
inline constexpr DWORD kUiRestrictions =
    JOB_OBJECT_UILIMIT_HANDLES | JOB_OBJECT_UILIMIT_READCLIPBOARD |
    JOB_OBJECT_UILIMIT_WRITECLIPBOARD | JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS |
    JOB_OBJECT_UILIMIT_DISPLAYSETTINGS | JOB_OBJECT_UILIMIT_GLOBALATOMS |
    JOB_OBJECT_UILIMIT_DESKTOP | JOB_OBJECT_UILIMIT_EXITWINDOWS;
inline constexpr DWORD kAlwaysLimited = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
                                        JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
                                        JOB_OBJECT_LIMIT_PRIORITY_CLASS;

class Job {
 public:
  // Makes the job and sets every limit. Whether they hold is verified by read_back().
  [[nodiscard]] static Result<Job> create(const JobLimits& limits);

  // From now on the job's notifications are posted to `port` with `key`.
  [[nodiscard]] Result<void> report_to(HANDLE port, ULONG_PTR key) const;

  [[nodiscard]] JobReadback read_back() const;

  // Puts the process into the job. After success the process is in the job and cannot leave it.
  [[nodiscard]] Result<void> take_in(HANDLE process) const;

  // Ends every process in the job. Harmless if there is none.
  void terminate() const;

  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] Usage usage() const;
  // User and kernel time of all processes that were ever in the job.
  [[nodiscard]] std::uint64_t cpu_time_us() const;

  [[nodiscard]] HANDLE get() const { return job_.get(); }
  void close() { job_.reset(); }

 private:
  explicit Job(Handle job) : job_(std::move(job)) {}
  Handle job_;
};

// The result of a check, with its evidence.
struct JobProof {
  bool holds = false;
  std::string evidence;
};

// Proves that all processes end when the job is closed: by the job's flags, or, where the system
// does not report them, by a trial with a process that stays suspended.
[[nodiscard]] JobProof prove_end_on_close(const Job& job);

}  // namespace bawn::windows
