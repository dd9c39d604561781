// The options of the command line, one row each: spelling, argument, subcommands, help, effect.
//
// The parser, the help texts and the hints all follow from these rows, so an option exists for all
// of them or for none. The rows are here and not in front/cli because hints name options, and a
// library must not know the command line. They are constant data and may be read from any thread.
//
// An option that changes the policy names the key it sets. The field of that key
// (policy/text/field.h) says how its value is read and whether it may be repeated.
#pragma once

#include <span>
#include <string_view>
#include <variant>

namespace bawn {

// Bits, so that an option can belong to several.
enum class Subcommand : unsigned {
  run = 1,
  exec = 2,
  check = 4,
  explain = 8,
  policy = 16,
  bench = 32,
  doctor = 64,
};

// What an option sets that changes no key of the policy.
enum class Setting {
  policy,
  mode,
  request,
  json,
  timing,
  receipt,
  status_fd,
  log_level,
  help,
  runs,
  parallel,
  bench_tier,
  bench_command,
  svg,
};

using PolicyKey = std::string_view;  // "limits.memory_bytes", as field_path() spells it

struct CliOption {
  std::string_view name;      // "--memory"
  std::string_view argument;  // "SIZE"; "" if the option takes none
  unsigned subcommands;       // bits of Subcommand
  std::string_view group;     // the title in the help; rows of one group are adjacent
  std::string_view help;
  std::variant<PolicyKey, Setting> sets;

  [[nodiscard]] bool belongs_to(Subcommand subcommand) const {
    return (subcommands & static_cast<unsigned>(subcommand)) != 0;
  }
  // The key of the policy that the option sets; "" if it sets none.
  [[nodiscard]] PolicyKey key() const;
  // True if it may be given more than once: a switch, or an option that adds to a list.
  [[nodiscard]] bool repeats() const;
};

// In the order of the help. A name can have several rows, each for other subcommands.
[[nodiscard]] std::span<const CliOption> command_line_options();

// The option that sets a key of the policy; null if only a policy file can.
[[nodiscard]] const CliOption* option_for(PolicyKey key);

}  // namespace bawn
