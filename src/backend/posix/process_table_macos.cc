#include <libproc.h>
#include <mach/mach_time.h>
#include <sys/proc.h>
#include <sys/proc_info.h>
#include <unistd.h>

#include "backend/posix/process_table.h"

namespace bawn::posix {
namespace {

// The kernel counts CPU time in Mach ticks, which are not nanoseconds on Apple silicon.
std::uint64_t microseconds_of(std::uint64_t ticks) {
  static const mach_timebase_info_data_t base = [] {
    mach_timebase_info_data_t asked{};
    mach_timebase_info(&asked);
    return asked;
  }();
  if (base.denom == 0) return 0;
  return ticks / 1000 * base.numer / base.denom;
}

std::uint64_t cpu_us(pid_t pid) {
  proc_taskinfo task{};
  const int got = proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &task, sizeof task);
  return got == static_cast<int>(sizeof task)
             ? microseconds_of(task.pti_total_user + task.pti_total_system)
             : 0;
}

}  // namespace

std::optional<ProcessFacts> find_process(pid_t pid) {
  constexpr std::uint64_t kAlsoEnded = 1;
  proc_bsdinfo facts{};
  if (proc_pidinfo(pid, PROC_PIDTBSDINFO, kAlsoEnded, &facts, sizeof facts) !=
      static_cast<int>(sizeof facts))
    return std::nullopt;
  const bool ended = facts.pbi_status == SZOMB;
  return ProcessFacts{.pid = pid,
                      .parent = static_cast<pid_t>(facts.pbi_ppid),
                      .group = static_cast<pid_t>(facts.pbi_pgid),
                      .session = ended ? 0 : getsid(pid),
                      .started = facts.pbi_start_tvsec * 1'000'000 + facts.pbi_start_tvusec,
                      .cpu_us = ended ? 0 : cpu_us(pid),
                      .ended = ended,
                      .name = facts.pbi_comm};
}

std::vector<ProcessFacts> list_processes() {
  std::vector<ProcessFacts> out;
  const int bytes = proc_listpids(PROC_RUID_ONLY, getuid(), nullptr, 0);
  if (bytes <= 0) return out;
  // Leaves room for processes that start meanwhile.
  std::vector<pid_t> pids(static_cast<std::size_t>(bytes) / sizeof(pid_t) + 256);
  const int filled = proc_listpids(PROC_RUID_ONLY, getuid(), pids.data(),
                                   static_cast<int>(pids.size() * sizeof(pid_t)));
  pids.resize(filled <= 0 ? 0 : static_cast<std::size_t>(filled) / sizeof(pid_t));
  for (const pid_t pid : pids) {
    if (pid == 0) continue;
    if (auto facts = find_process(pid)) out.push_back(std::move(*facts));
  }
  return out;
}

}  // namespace bawn::posix
