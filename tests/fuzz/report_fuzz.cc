// Any bytes as a report of init: bawn refuses them, or the report can be described.
#include <sys/wait.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "backend/linux/launch/launch_steps.h"
#include "backend/linux/wire/report.h"

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

// Reads the bools: a sanitizer traps if one of them is neither true nor false.
int count_flags(const bawn::init::Report& report) {
  int count = 0;
  for (const bool each :
       {report.scratch_full, report.wall_over, report.cpu_over, report.readback.cloned_by_clone3,
        report.readback.cloned_into_cgroup, report.readback.is_pid_1})
    count += each ? 1 : 0;
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using bawn::init::ReportKind;
  const auto report = bawn::linux_::decode_report({reinterpret_cast<const char*>(data), size});
  if (!report) return 0;
  require(count_flags(*report) <= 6);
  require(report->kind <= ReportKind::cpu_time && report->step < bawn::init::Step::count);
  require(!bawn::linux_::describe_step(report->step).name.empty());
  (void)bawn::linux_::step_hint(report->step, report->error);
  if (report->kind == ReportKind::command_exited)
    require(WIFEXITED(report->wait_status) || WIFSIGNALED(report->wait_status));
  if (report->kind == ReportKind::command_stopped) require(WIFSTOPPED(report->wait_status));
  bawn::Stopwatch stopwatch;
  bawn::linux_::add_init_steps(*report, stopwatch);
  return 0;
}
