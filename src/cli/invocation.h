// The command line as a value: which options were given, and the words of the command behind them.
//
// One table (invocation.cc) says what each option is called, what it takes, what it does and which
// subcommands know it; parsing, help and suggestions for misspelt options all come from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bawn::cli {

enum class Subcommand : unsigned { run = 1, exec = 2, check = 4, bench = 8, explain = 16 };

// An option that changes the policy, in the order given.
struct PolicyFlag {
  std::string_view name;
  std::string value;
};

struct Invocation {
  std::optional<std::string> policy_file;
  std::optional<std::string> mode;
  std::vector<PolicyFlag> policy_flags;
  std::optional<std::string> request_file;
  std::optional<std::string> log_level;
  std::optional<int> status_fd;
  bool json = false;
  bool timing = false;
  bool help = false;
  std::vector<std::string> command;

  // Of `bench`, as typed.
  std::optional<std::string> tier;
  std::optional<std::string> runs;
  std::optional<std::string> parallel;
  std::optional<std::string> bench_command;
  std::optional<std::string> svg_file;
};

// Fills `invocation`. After an error it holds what stood before the mistake: how the caller wants
// to be told of it.
[[nodiscard]] Result<void> parse_invocation(Subcommand subcommand, std::span<char* const> words,
                                            Invocation& invocation);

// The lines about the options of a subcommand.
[[nodiscard]] std::string option_help(Subcommand subcommand);

}  // namespace bawn::cli
