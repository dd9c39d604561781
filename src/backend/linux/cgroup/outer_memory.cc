#include "backend/linux/cgroup/outer_memory.h"

#include <fcntl.h>

#include <algorithm>

#include "backend/linux/cgroup/counters.h"
#include "base/text.h"
#include "sys/control_file.h"

namespace bawn::linux_ {
namespace {

std::string text_of(const std::string& directory, std::string_view file) {
  auto text = sys::read_control(AT_FDCWD, concat(directory, "/", file));
  return text ? std::move(text).value() : "";
}

// Events of this cgroup alone. Kernels before 5.2 only have the sum with the cgroups below.
std::string events_of(const std::string& directory) {
  std::string events = text_of(directory, "memory.events.local");
  return events.empty() ? text_of(directory, "memory.events") : events;
}

std::optional<std::uint64_t> kills_in(CgroupVersion version, const std::string& directory) {
  const bool v2 = version == CgroupVersion::v2;
  return counter_number(v2 ? events_of(directory) : text_of(directory, "memory.oom_control"),
                        "oom_kill");
}

std::optional<std::uint64_t> limit_met_in(CgroupVersion version, const std::string& directory) {
  if (version == CgroupVersion::v1) return legacy_limit_met(AT_FDCWD, directory);
  return counter_number(events_of(directory), "oom");
}

// v1 reports "no limit" as a number larger than any machine's memory.
Limit limit_in(CgroupVersion version, const std::string& directory) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  const auto found =
      whole_number(text_of(directory, limit_file(version, CgroupController::memory)));
  return found && *found < kMost ? Limit(*found) : Limit();
}

// The cgroups from the parent of the run's cgroup upwards, if that cgroup has the memory
// controller.
std::optional<MemoryCgroups> above_own(const CgroupView& view,
                                       const std::optional<CgroupPlan>& plan) {
  if (!plan) return std::nullopt;
  const std::string own = plan->directory_of(CgroupController::memory);
  if (own.empty()) return std::nullopt;
  return memory_cgroups_from(view, plan->place.version, own.substr(0, own.rfind('/')));
}

bool has_risen(const std::optional<std::uint64_t>& before,
               const std::optional<std::uint64_t>& after) {
  return before && after && *after > *before;
}

}  // namespace

// limit_met is read only for cgroups with a limit; most have none.
OuterMemory read_outer_memory(const CgroupView& view, const std::optional<CgroupPlan>& plan) {
  const auto above = above_own(view, plan);
  const MemoryCgroups found = above ? *above : find_memory_cgroups(view);
  OuterMemory outer;
  for (const std::string& directory : found.directories) {
    if (!outer.kills) outer.kills = kills_in(found.version, directory);
    const Limit limit = limit_in(found.version, directory);
    if (limit) outer.limited.push_back({directory, limit, limit_met_in(found.version, directory)});
  }
  return outer;
}

std::optional<OuterKill> find_outer_kill(const OuterMemory& before, const OuterMemory& after,
                                         const std::optional<std::uint64_t>& own_kills) {
  const bool rose = has_risen(before.kills, after.kills);
  OuterKill kill{.kills = own_kills ? *own_kills
                          : rose    ? *after.kills - *before.kills
                                    : 0,
                 .directory = {},
                 .memory_bytes = {}};
  if (kill.kills == 0) return std::nullopt;
  for (const LimitedCgroup& now : after.limited) {
    const auto then = std::ranges::find_if(
        before.limited, [&](const LimitedCgroup& one) { return one.directory == now.directory; });
    if (then == before.limited.end() || !has_risen(then->limit_met, now.limit_met)) continue;
    kill.directory = now.directory;
    kill.memory_bytes = now.memory_bytes;
    break;
  }
  return kill;
}

}  // namespace bawn::linux_
