// The subcommands. Each takes the words after its own name and returns the exit code of the
// program.
//
// 125 is bawn's own failure (bad options, unreadable policy), told on stderr; it is never 1. Only
// `doctor` may exit with 1, which is then its answer.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"

namespace bawn::cli {

inline constexpr int kExitFailed = 125;
inline constexpr int kExitDenied = 126;

using Words = std::span<char* const>;

int run_command(Words words);
int exec_command(Words words);
int check_command(Words words);
int explain_command(Words words);
int policy_command(Words words);
int bench_command(Words words);
int doctor_command(Words words);

// "bawn: run: ..." on stderr, or "bawn: ..." if no subcommand is to blame, one line per line of the
// message; returns kExitFailed.
int report_failure(std::string_view subcommand, const Error& error);

// On stdout; returns 0, or reports that it could not.
int print_text(std::string_view text);

// The text of `bawn --help` or of one subcommand, as print_text does it.
int print_help(std::string_view subcommand);

}  // namespace bawn::cli
