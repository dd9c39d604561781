#include "policy/hint.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "policy/field.h"
#include "policy/quantity.h"

namespace bawn {
namespace {

struct LimitFlag {
  std::string_view key;
  std::string_view flag;
  std::string (*spell)(std::uint64_t amount);
  std::uint64_t factor;
};

constexpr auto kLimitFlags = std::to_array<LimitFlag>({
    {"limits.wall_time_ms", "--timeout", duration_text, 10},
    {"limits.cpu_time_ms", "--cpu", duration_text, 10},
    {"limits.output_bytes", "--output", size_text, 10},
    {"limits.memory_bytes", "--memory", size_text, 2},
    {"limits.total_memory_bytes", "--total-memory", size_text, 2},
    {"limits.processes", "--pids", count_text, 2},
    {"limits.total_processes", "--total-pids", count_text, 2},
    {"limits.open_files", "--open-files", count_text, 2},
    {"limits.file_bytes", "--file-size", size_text, 2},
    {"limits.tmp_bytes", "--tmp-size", size_text, 2},
    {"limits.cpu_percent", "--cpus", processors_text, 2},
});

const LimitFlag* flag_of(std::string_view key) {
  const auto* found = std::find_if(kLimitFlags.begin(), kLimitFlags.end(),
                                   [&](const LimitFlag& each) { return each.key == key; });
  return found == kLimitFlags.end() ? nullptr : found;
}

std::uint64_t most_of(std::string_view key) {
  for (const Section& section : policy_sections()) {
    for (const Field& field : section.fields) {
      const auto* limit = std::get_if<LimitField>(&field.value);
      if (limit != nullptr && field_path(section, field) == key) return limit->most;
    }
  }
  return 0;
}

bool is_plain(char c) {
  constexpr std::string_view kOthers = "-_./:@%+=,";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), is_plain);
  return plain ? std::string(word) : quote(word);
}

std::string try_flag(std::string_view flag, std::string_view value, std::string_view key) {
  return concat("try ", flag, value.empty() ? "" : concat(" ", shell_word(value)),
                " (policy key: ", key, ")");
}

std::string raise_limit(std::string_view key, const Limit& present) {
  constexpr std::uint64_t kInsteadOfNone = 1024 * 1024;
  const LimitFlag* known = flag_of(key);
  if (known == nullptr) return concat("raise ", key, " in the policy");
  const std::uint64_t now = present.value_or(0);
  const std::uint64_t most = most_of(key);
  if (now > most / known->factor) return lift_limit(key);
  return try_flag(known->flag, known->spell(now == 0 ? kInsteadOfNone : now * known->factor), key);
}

std::string grant_hint(std::string_view path) {
  const std::string word = shell_word(path);
  return concat("try --ro ", word, ", or --rw ", word,
                " to write there (policy keys: filesystem.read, filesystem.write)");
}

std::string lift_limit(std::string_view key) {
  const LimitFlag* known = flag_of(key);
  if (known == nullptr) return concat("set ", key, " to \"unlimited\" in the policy");
  return try_flag(known->flag, "unlimited", key);
}

}  // namespace bawn
