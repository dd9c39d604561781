// The subcommands of bawn. Each takes the arguments after its name and returns bawn's exit code.
//
// 125 means that bawn itself failed (bad options, an unreadable policy). bawn never uses 1 for a
// failure. `doctor` exits with 1 if tier c does not work here, and `run` passes on the command's
// exit code, which may be any of these numbers.
//
// For the command line only: these functions read and write the process's standard files.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"

namespace bawn::cli {

inline constexpr int kExitFailed = 125;
inline constexpr int kExitDenied = 126;

// Command-line arguments, borrowed; they stay valid until the process ends.
using Words = std::span<char* const>;

int run_command(Words words);
int exec_command(Words words);
int check_command(Words words);
int explain_command(Words words);
int policy_command(Words words);
int bench_command(Words words);
int doctor_command(Words words);

// Writes the error to stderr and returns kExitFailed. Each line of the message begins with
// "bawn: run: ", or with "bawn: " if `subcommand` is empty. A hint follows if the host is short of
// a resource. A failed write is ignored.
int report_failure(std::string_view subcommand, const Error& error);

// Writes `text` to stdout and returns 0. If the write fails, reports that on stderr and returns
// kExitFailed.
int print_text(std::string_view text);

// Prints the help of `subcommand`, or the overview if there is no such subcommand. Returns what
// print_text() returns.
int print_help(std::string_view subcommand);

}  // namespace bawn::cli
