#include "linux/cgroup_counters.h"

#include <charconv>

#include "base/text.h"

namespace bawn {
namespace {

// The number of a line "key number".
std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key) {
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') continue;
    const std::string_view digits = line.substr(key.size() + 1);
    const char* const end = digits.data() + digits.size();
    std::uint64_t number = 0;
    const auto [stop, problem] = std::from_chars(digits.data(), end, number);
    if (problem == std::errc() && stop == end) return number;
  }
  return std::nullopt;
}

}  // namespace

const char* file_of(CgroupCounter counter) {
  switch (counter) {
    case CgroupCounter::memory_events:
      return "memory.events";
    case CgroupCounter::memory_oom_control:
      return "memory.oom_control";
    case CgroupCounter::pids_events:
      return "pids.events";
    case CgroupCounter::cpu_stat:
      return "cpu.stat";
  }
  return "";
}

void read_counter(CgroupCounter counter, std::string_view text, CgroupCounts& counts) {
  switch (counter) {
    case CgroupCounter::memory_events:
      counts.own_limit_met = number_of(text, "oom");
      [[fallthrough]];
    case CgroupCounter::memory_oom_control:
      counts.oom_kills = number_of(text, "oom_kill");
      return;
    case CgroupCounter::pids_events:
      counts.pids_refused = number_of(text, "max");
      return;
    case CgroupCounter::cpu_stat:
      counts.cpu_user_usec = number_of(text, "user_usec");
      counts.cpu_system_usec = number_of(text, "system_usec");
      return;
  }
}

}  // namespace bawn
