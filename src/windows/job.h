// The Job Object that holds everything a run starts: limits, the end of all of it, and what it
// used.
//
// It is made before the process and never allows breakaway, so no process of the run is ever
// outside. Closing the last handle ends them all, also if bawn itself is killed.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "outcome/outcome.h"
#include "policy/policy.h"
#include "windows/handle.h"

namespace bawn::windows {

struct JobLimits {
  Limit processes;
  Limit memory_bytes;  // of each process and of all together
  Limit cpu_time_ms;   // of all together
};

// What the job itself says when it is asked. All zero where the system takes limits and tells none,
// as wine does.
struct JobReadback {
  DWORD limit_flags = 0;
  std::uint64_t processes = 0;
  std::uint64_t process_memory = 0;
  std::uint64_t job_memory = 0;
  std::uint64_t cpu_time_ms = 0;
  DWORD priority_class = 0;
  DWORD ui_restrictions = 0;
};

// What is set on every job, whatever the policy says: no window, clipboard or session of the user,
// and an end.
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
  // Every limit is set; nothing is known yet about whether it holds.
  [[nodiscard]] static Result<Job> create(const JobLimits& limits);

  // What it tells about its life is posted to `port` with `key`, from now on.
  [[nodiscard]] Result<void> report_to(HANDLE port, ULONG_PTR key) const;

  [[nodiscard]] JobReadback read_back() const;

  // Afterwards the process is in this job and in no way out of it; an error otherwise.
  [[nodiscard]] Result<void> take_in(HANDLE process) const;

  // Ends every process in it. Harmless if there is none.
  void terminate() const;

  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] Usage usage() const;
  // User and kernel time of everything that ever was in it.
  [[nodiscard]] std::uint64_t cpu_time_us() const;

  [[nodiscard]] HANDLE get() const { return job_.get(); }
  void close() { job_.reset(); }

 private:
  explicit Job(Handle job) : job_(std::move(job)) {}
  Handle job_;
};

// How a job was found to be what it should be, or why not.
struct JobProof {
  bool holds = false;
  std::string evidence;
};

// That everything in the job ends with it: as the job says, or, where it says nothing, by trying
// with a process that is never let run.
[[nodiscard]] JobProof prove_end_on_close(const Job& job);

}  // namespace bawn::windows
