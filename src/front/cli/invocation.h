// The command line as a value: the options that were given, and the command behind them.
//
// The options are the rows of policy/text/option.h; no other word is taken for an option.
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
#include "policy/text/option.h"

namespace bawn::cli {

// An option that changes the policy. `value` is empty for a switch.
struct PolicyFlag {
  const CliOption* option;
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

// True if --help or -h is anywhere among the words. For subcommands without a command behind their
// options, where the place of the word does not matter.
[[nodiscard]] bool asks_for_help(Subcommand subcommand, std::span<char* const> words);

}  // namespace bawn::cli
