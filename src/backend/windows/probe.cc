#include <array>

#include "backend/windows/path_lookup.h"
#include "backend/windows/process/job.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "host/probe.h"
#include "host/system_facts.h"

namespace bawn {
namespace {

// A system that does not report a job's limits is taken not to enforce them.
bool keeps_limits() {
  const auto job = windows::Job::create({.processes = 2, .memory_bytes = 1 << 30});
  if (!job) return false;
  const windows::JobReadback told = job.value().read_back();
  return told.processes == 2 && told.job_memory == 1 << 30;
}

std::string temporary_directory() {
  std::array<wchar_t, MAX_PATH + 1> name{};
  const DWORD length = GetTempPathW(static_cast<DWORD>(name.size()), name.data());
  const auto path = windows::portable_path(windows::narrow({name.data(), length}), "");
  return path ? path.value() : "";
}

}  // namespace

HostFacts probe_host() {
  HostFacts facts = windows_facts();
  if (!keeps_limits()) {
    for (const char* limit : {"memory_bytes", "processes", "cpu_time_ms"})
      facts.lacking_limits.push_back(
          {limit, "this system takes the limits of a job and does not keep them"});
  }
  const windows::WindowsLookup lookup(windows::current_directory());
  for (const std::string_view path : lookup.trusted_path()) facts.system_paths.emplace_back(path);
  facts.private_parent = temporary_directory();
  return facts;
}

// A Job Object counts only its own processes, so the user's other tasks do not matter.
Result<std::uint64_t> probe_user_tasks() { return 0; }

}  // namespace bawn
