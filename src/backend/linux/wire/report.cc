#include "backend/linux/wire/report.h"

#include <sys/wait.h>

#include <cstddef>
#include <cstring>

namespace bawn::linux_ {
namespace {

using init::Readback;
using init::Report;
using init::ReportKind;

constexpr std::int32_t kMostErrno = 4095;  // MAX_ERRNO

// The bools of a report. They are looked at as bytes, before the report exists as an object.
constexpr std::size_t kBools[] = {
    offsetof(Report, scratch_full),
    offsetof(Report, wall_over),
    offsetof(Report, cpu_over),
    offsetof(Report, readback) + offsetof(Readback, cloned_by_clone3),
    offsetof(Report, readback) + offsetof(Readback, cloned_into_cgroup),
    offsetof(Report, readback) + offsetof(Readback, is_pid_1),
};

bool are_bools(std::string_view bytes) {
  for (const std::size_t at : kBools) {
    if (static_cast<unsigned char>(bytes[at]) > 1) return false;
  }
  return true;
}

bool is_end(std::int32_t status) {
  return status >= 0 && status <= 0xffff && (WIFEXITED(status) || WIFSIGNALED(status));
}

bool is_stop(std::int32_t status) { return status >= 0 && status <= 0xffff && WIFSTOPPED(status); }

bool is_wait_status(const Report& report) {
  const bool none = report.wait_status == init::kNoWaitStatus;
  switch (report.kind) {
    case ReportKind::command_exited:
      return is_end(report.wait_status);
    case ReportKind::command_stopped:
      return is_stop(report.wait_status);
    case ReportKind::failed:
    case ReportKind::started:
      return none;
    case ReportKind::tree_gone:
    case ReportKind::cpu_time:
      return none || is_end(report.wait_status);
  }
  return false;  // no kind
}

bool are_numbers(const Report& report) {
  const bool failed = report.kind == ReportKind::failed;
  return report.step < init::Step::count && report.index >= 0 && report.error >= 0 &&
         report.error <= kMostErrno && (!failed || report.error != 0) &&
         (failed || report.pid > 0) && report.stdin_position >= init::kNoPosition;
}

}  // namespace

std::optional<Report> decode_report(std::string_view bytes) {
  if (bytes.size() != sizeof(Report) || !are_bools(bytes)) return std::nullopt;
  Report report;
  std::memcpy(&report, bytes.data(), sizeof report);
  if (!is_wait_status(report) || !are_numbers(report)) return std::nullopt;
  return report;
}

}  // namespace bawn::linux_
