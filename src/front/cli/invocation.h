// The command line as a value: the options that were given, and the command behind them.
//
// One table in invocation.cc lists each option with its name, value, help text and subcommands.
// Parsing, help and suggestions for misspelt options all use that table.
//
// Pure: no file or variable is read here. Values that belong to the policy stay text;
// policy_source.h parses them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bawn::cli {

// Bits, so that an option can name several. `policy` and `doctor` parse their arguments themselves.
enum class Subcommand : unsigned { run = 1, exec = 2, check = 4, bench = 8, explain = 16 };

// An option that changes the policy. `name` points into the table and lives as long as the process;
// `value` is empty for a switch.
struct PolicyFlag {
  std::string_view name;
  std::string value;
};

struct Invocation {
  std::optional<std::string> policy_file;
  std::optional<std::string> mode;
  std::vector<PolicyFlag> policy_flags;  // in the order given
  std::optional<std::string> request_file;
  std::optional<std::string> log_level;
  std::optional<int> status_fd;
  bool json = false;
  bool timing = false;
  bool receipt = false;
  bool help = false;
  std::vector<std::string> command;

  // Options of `bench`, as typed.
  std::optional<std::string> tier;
  std::optional<std::string> runs;
  std::optional<std::string> parallel;
  std::optional<std::string> bench_command;
  std::optional<std::string> svg_file;
};

// Fills `invocation`. After an error it holds the options before the mistake, so that the error can
// be reported as --json or --status-fd asked.
[[nodiscard]] Result<void> parse_invocation(Subcommand subcommand, std::span<char* const> words,
                                            Invocation& invocation);

// The help text for the options of a subcommand, one line per option.
[[nodiscard]] std::string option_help(Subcommand subcommand);

}  // namespace bawn::cli
