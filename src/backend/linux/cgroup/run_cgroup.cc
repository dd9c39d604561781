#include "backend/linux/cgroup/run_cgroup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.h"
#include "sys/call.h"
#include "sys/control_file.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

constexpr mode_t kDirectoryMode = 0755;

std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// ---- Limits -------------------------------------------------------------------------------------

// Written and then read back: the kernel rounds some values and silently ignores others.
Result<void> set_value(int directory, const std::string& file, const std::string& value) {
  BAWN_TRY(sys::write_control(directory, file, value));
  BAWN_ASSIGN(const std::string text, sys::read_control(directory, file));
  const std::string found = without_newline(text);
  if (found == value) return {};
  return Error{.message = concat(quote(file), ": ", quote(value),
                                 " was set, but the kernel answers ", quote(found))};
}

Result<bool> has_file(int directory, const char* file) {
  if (faccessat(directory, file, F_OK, 0) == 0) return true;
  if (errno == ENOENT) return false;
  return system_error(errno, concat("access '", std::string_view(file), "'"));
}

// The kernel counts in pages and rounds down.
std::uint64_t whole_pages(std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes / page * page;
}

// With memory.swap.max 0, memory.max bounds memory and swap together.
Result<void> limit_memory_v2(int directory, std::uint64_t bytes, OutOfMemory overrun,
                             CgroupReadback& readback) {
  BAWN_TRY(set_value(directory, "memory.max", concat(bytes)));
  BAWN_ASSIGN(readback.swap_bounded, has_file(directory, "memory.swap.max"));
  if (readback.swap_bounded) BAWN_TRY(set_value(directory, "memory.swap.max", "0"));
  if (overrun == OutOfMemory::kills_all) BAWN_TRY(set_value(directory, "memory.oom.group", "1"));
  return {};
}

// memsw is memory and swap together. The kernel requires memsw >= memory at any time. So lowering
// works in the order memory, memsw; if memory is refused because a smaller memsw is in force, it is
// set again after memsw.
Result<void> limit_memory_v1(int directory, std::uint64_t bytes, CgroupReadback& readback) {
  BAWN_ASSIGN(readback.swap_bounded, has_file(directory, "memory.memsw.limit_in_bytes"));
  auto limited = set_value(directory, "memory.limit_in_bytes", concat(bytes));
  if (!readback.swap_bounded) return limited;
  BAWN_TRY(set_value(directory, "memory.memsw.limit_in_bytes", concat(bytes)));
  return limited ? limited : set_value(directory, "memory.limit_in_bytes", concat(bytes));
}

Result<void> limit_memory(int directory, CgroupVersion version, std::uint64_t asked,
                          OutOfMemory overrun, CgroupReadback& readback) {
  const std::uint64_t bytes = whole_pages(asked);
  if (bytes == 0)
    return invalid_error(concat("a memory limit of ", asked, " bytes is less than a page"));
  readback.limits.memory_bytes = bytes;
  return version == CgroupVersion::v2 ? limit_memory_v2(directory, bytes, overrun, readback)
                                      : limit_memory_v1(directory, bytes, readback);
}

Result<void> limit_processes(int directory, std::uint64_t processes, CgroupReadback& readback) {
  readback.limits.processes = processes;
  return set_value(directory, "pids.max", concat(processes));
}

Result<void> limit_cpu_rate(int directory, CgroupVersion version, const CpuRate& rate,
                            CgroupReadback& readback) {
  readback.limits.cpu_rate = rate;
  if (version == CgroupVersion::v2) {
    return set_value(directory, "cpu.max", concat(rate.quota_us, " ", rate.period_us));
  }
  BAWN_TRY(set_value(directory, "cpu.cfs_period_us", concat(rate.period_us)));
  return set_value(directory, "cpu.cfs_quota_us", concat(rate.quota_us));
}

// The limits that a directory with these controllers is responsible for.
CgroupLimits limits_of(const CgroupLimits& limits, const CgroupControllers& controllers) {
  CgroupLimits own;
  if (holds(controllers, CgroupController::memory)) own.memory_bytes = limits.memory_bytes;
  if (holds(controllers, CgroupController::pids)) own.processes = limits.processes;
  if (holds(controllers, CgroupController::cpu)) own.cpu_rate = limits.cpu_rate;
  return own;
}

// Absent for "max" too.
std::optional<std::uint64_t> read_number(const std::string& directory, std::string_view file) {
  const auto text = sys::read_control(AT_FDCWD, concat(directory, "/", file));
  return text ? whole_number(text.value()) : std::nullopt;
}

void add_readback(const CgroupReadback& part, CgroupReadback& whole) {
  if (part.limits.memory_bytes) {
    whole.limits.memory_bytes = part.limits.memory_bytes;
    whole.swap_bounded = part.swap_bounded;
  }
  if (part.limits.processes) whole.limits.processes = part.limits.processes;
  if (part.limits.cpu_rate) whole.limits.cpu_rate = part.limits.cpu_rate;
}

// ---- Directories --------------------------------------------------------------------------------

Result<Fd> open_directory(const std::string& path) {
  auto directory = sys::open(path.c_str(), O_RDONLY | O_DIRECTORY);
  return directory ? std::move(directory) : directory.error().within(quote(path));
}

// Enables the controllers for the children of the directory. Those that are on already stay on.
Result<void> enable_controllers(const std::string& directory,
                                const CgroupControllers& controllers) {
  const std::string file = directory + "/cgroup.subtree_control";
  for (const CgroupController one : controllers) {
    BAWN_TRY(sys::write_control(AT_FDCWD, file, concat("+", to_string(one))));
  }
  BAWN_ASSIGN(const std::string text, sys::read_control(AT_FDCWD, file));
  const std::string line = without_newline(text);
  const std::vector<std::string_view> enabled = split(line, ' ');
  for (const CgroupController one : controllers) {
    if (std::ranges::find(enabled, to_string(one)) != enabled.end()) continue;
    return Error{.message = concat(quote(file), ": '+", to_string(one),
                                   "' was written, but the kernel answers ", quote(line))};
  }
  return {};
}

Result<void> require_all(const CgroupPlace& place, const CgroupLimits& limits) {
  for (const CgroupController wanted : controllers_for(limits)) {
    const bool offered = std::ranges::any_of(
        place.parents, [&](const auto& parent) { return holds(parent.controllers, wanted); });
    if (!offered) {
      return invalid_error(
          concat("the directory for cgroups has no controller ", to_string(wanted)));
    }
  }
  return {};
}

// ---- What init gets -----------------------------------------------------------------------------

Result<Fd> open_in(int directory, const char* file, int flags) {
  BAWN_ASSIGN(const int fd, sys::checked(concat("open '", std::string_view(file), "'"), [&] {
                return openat(directory, file, flags | O_CLOEXEC);
              }));
  return Fd(fd);
}

Result<void> open_counter(int directory, CgroupCounter counter, RunCgroup& run) {
  BAWN_ASSIGN(Fd file, open_in(directory, file_of(counter), O_RDONLY));
  run.counters.push_back({counter, std::move(file)});
  return {};
}

// The controllers decide, not the run's limits: a run without limits can still meet the budget of
// the cgroup above. v2 has cpu.stat whether or not the cpu controller is on.
Result<void> open_counters(int directory, const CgroupControllers& controllers, RunCgroup& run) {
  const bool v2 = run.version == CgroupVersion::v2;
  if (holds(controllers, CgroupController::memory)) {
    BAWN_TRY(open_counter(
        directory, v2 ? CgroupCounter::memory_events : CgroupCounter::memory_oom_control, run));
  }
  if (holds(controllers, CgroupController::pids))
    BAWN_TRY(open_counter(directory, CgroupCounter::pids_events, run));
  if (v2) BAWN_TRY(open_counter(directory, CgroupCounter::cpu_stat, run));
  return {};
}

Result<void> open_handles(int directory, const CgroupControllers& controllers, RunCgroup& run) {
  BAWN_TRY(open_counters(directory, controllers, run));
  BAWN_ASSIGN(Fd entrance, open_in(directory, "cgroup.procs", O_RDWR));
  run.entrances.push_back(std::move(entrance));
  BAWN_ASSIGN(const bool has_kill, has_file(directory, "cgroup.kill"));
  if (has_kill) {
    BAWN_ASSIGN(run.kill, open_in(directory, "cgroup.kill", O_WRONLY));
  }
  return {};
}

Result<void> add_directory(const CgroupParent& parent, const std::string& name,
                           const CgroupLimits& limits, RunCgroup& run) {
  if (!parent.to_enable.empty()) BAWN_TRY(enable_controllers(parent.directory, parent.to_enable));
  BAWN_ASSIGN(CgroupDirectory made, CgroupDirectory::make(parent.directory, name));
  const int directory = made.directory();
  run.directories.push_back(std::move(made));
  const CgroupLimits own = limits_of(limits, parent.controllers);
  BAWN_ASSIGN(const CgroupReadback part,
              apply_cgroup_limits(directory, run.version, own, OutOfMemory::kills_all));
  add_readback(part, run.in_force);
  return open_handles(directory, parent.controllers, run);
}

Result<CgroupParent> ensure_one(const CgroupParent& above, const std::string& name,
                                CgroupVersion version, const CgroupLimits& total,
                                CgroupReadback& in_force) {
  if (!above.to_enable.empty()) BAWN_TRY(enable_controllers(above.directory, above.to_enable));
  const std::string path = concat(above.directory, "/", name);
  if (mkdir(path.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
    return system_error(errno, concat("mkdir ", quote(path)));
  }
  BAWN_ASSIGN(const Fd directory, open_directory(path));
  const auto limited = apply_cgroup_limits(
      directory.get(), version, limits_of(total, above.controllers), OutOfMemory::kills_one);
  if (!limited) return limited.error().within(quote(path));
  add_readback(limited.value(), in_force);
  if (version == CgroupVersion::v2) BAWN_TRY(enable_controllers(path, above.controllers));
  return CgroupParent{.directory = path, .controllers = above.controllers};
}

}  // namespace

CgroupDirectory::~CgroupDirectory() {
  if (parent_) unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
}

Result<CgroupDirectory> CgroupDirectory::make(const std::string& parent, std::string name) {
  BAWN_ASSIGN(Fd above, open_directory(parent));
  const std::string path = concat(parent, "/", name);
  BAWN_TRY(sys::checked(concat("mkdir ", quote(path)),
                        [&] { return mkdirat(above.get(), name.c_str(), kDirectoryMode); }));
  CgroupDirectory made(std::move(above), std::move(name));
  BAWN_ASSIGN(made.directory_, open_directory(path));
  return made;
}

CgroupCounts RunCgroup::counts() const {
  CgroupCounts counts;
  for (const CgroupCounterFile& one : counters) {
    std::array<char, 4096> text{};
    const ssize_t got = pread(one.file.get(), text.data(), text.size(), 0);
    if (got > 0) read_counter(one.counter, {text.data(), static_cast<std::size_t>(got)}, counts);
  }
  return counts;
}

Result<CgroupReadback> apply_cgroup_limits(int directory, CgroupVersion version,
                                           const CgroupLimits& limits, OutOfMemory overrun) {
  CgroupReadback readback;
  if (limits.memory_bytes) {
    BAWN_TRY(limit_memory(directory, version, *limits.memory_bytes, overrun, readback));
  }
  if (limits.processes) BAWN_TRY(limit_processes(directory, *limits.processes, readback));
  if (limits.cpu_rate) BAWN_TRY(limit_cpu_rate(directory, version, *limits.cpu_rate, readback));
  return readback;
}

Result<RunCgroup> make_run_cgroup(const CgroupPlace& place, const std::string& name,
                                  const CgroupLimits& limits) {
  BAWN_TRY(require_all(place, limits));
  RunCgroup run{.version = place.version};
  for (const CgroupParent& parent : place.parents) {
    const auto added = add_directory(parent, name, limits, run);
    if (!added)
      return added.error().within(concat("cgroup ", quote(name), " in ", quote(parent.directory)));
  }
  return run;
}

CgroupLimits read_shared_limits(const CgroupPlace& place, const CgroupLimits& asked) {
  const char* const memory =
      place.version == CgroupVersion::v2 ? "memory.max" : "memory.limit_in_bytes";
  CgroupLimits found;
  for (const CgroupParent& parent : place.parents) {
    const CgroupLimits own = limits_of(asked, parent.controllers);
    if (own.memory_bytes) found.memory_bytes = read_number(parent.directory, memory);
    if (own.processes) found.processes = read_number(parent.directory, "pids.max");
  }
  return found;
}

Result<SharedCgroup> ensure_cgroup_parent(const CgroupPlace& above, const std::string& name,
                                          const CgroupLimits& total) {
  BAWN_TRY(require_all(above, total));
  SharedCgroup shared{.place = {.version = above.version, .parents = {}}, .in_force = {}};
  for (const CgroupParent& parent : above.parents) {
    BAWN_ASSIGN(CgroupParent made, ensure_one(parent, name, above.version, total, shared.in_force));
    shared.place.parents.push_back(std::move(made));
  }
  return shared;
}

}  // namespace bawn::linux_
