#include "backend/linux/cgroup/counters.h"

#include <unistd.h>

#include <charconv>

#include "base/text.h"
#include "sys/control_file.h"

namespace bawn::linux_ {
namespace {

std::optional<std::uint64_t> number_in(int directory, const std::string& file) {
  const auto text = sys::read_control(directory, file);
  return text ? whole_number(text.value()) : std::nullopt;
}

// The kernel kills when up to eight pages cannot be charged, so that much may be free below the
// limit.
bool is_at_limit(const std::optional<std::uint64_t>& most_used,
                 const std::optional<std::uint64_t>& limit) {
  const auto slack = 8 * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return most_used && limit && *most_used + slack > *limit;
}

// `kind` is "memory." or "memory.memsw.".
std::optional<std::uint64_t> times_met(int directory, const std::string& kind) {
  const auto counted = number_in(directory, kind + "failcnt");
  if (!counted) return std::nullopt;
  const bool met = is_at_limit(number_in(directory, kind + "max_usage_in_bytes"),
                               number_in(directory, kind + "limit_in_bytes"));
  return *counted + (met ? 1U : 0U);
}

}  // namespace

std::optional<std::uint64_t> legacy_limit_met(int directory, const std::string& below) {
  const auto memory = times_met(directory, below + "/memory.");
  if (!memory) return std::nullopt;
  return *memory + times_met(directory, below + "/memory.memsw.").value_or(0);
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> counter_number(std::string_view text, std::string_view key) {
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') continue;
    if (const auto number = whole_number(line.substr(key.size() + 1))) return number;
  }
  return std::nullopt;
}

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
      counts.own_limit_met = counter_number(text, "oom");
      [[fallthrough]];
    case CgroupCounter::memory_oom_control:
      counts.oom_kills = counter_number(text, "oom_kill");
      return;
    case CgroupCounter::pids_events:
      counts.pids_refused = counter_number(text, "max");
      return;
    case CgroupCounter::cpu_stat:
      counts.cpu_user_usec = counter_number(text, "user_usec");
      counts.cpu_system_usec = counter_number(text, "system_usec");
      return;
  }
}

}  // namespace bawn::linux_
