#include "base/text.h"
#include "cli/command.h"
#include "cli/invocation.h"

namespace bawn::cli {
namespace {

constexpr std::string_view kOverview =
    R"(bawn runs a command nobody has read yet: read-only system, one writable workspace, no secrets, no
network unless granted, limits that hold for everything it starts, and one record of what was enforced.

  bawn run     [options] -- CMD [ARG...]   run it here; stdin, stdout and stderr are yours
  bawn exec    [options]                   one request as JSON on stdin, one outcome as JSON on stdout
  bawn check   [options] -- CMD [ARG...]   say whether it would run, and every reason why not
  bawn explain [options] -- CMD [ARG...]   print the plan: every mount, limit, filter and variable, and why
  bawn policy  [show|lint|schema]          the policies there are, and what is in them
  bawn bench   spawn [options]             what a run costs here, beside other launchers
  bawn doctor  [--json]                    what this host can enforce, why not, and what fixes it
  bawn --version | --help | SUBCOMMAND --help

Examples
  bawn run -- ls -l
  bawn run --timeout 5s --output 1M -- make test
  bawn check --mode agent --allow-exec git -- git log ../other
  echo '{"command":"git","args":["status"]}' | bawn exec --mode agent --allow-exec git

Exit codes of 'run': the command's own; 128+N for signal N; 124 wall time is over; 125 bawn itself failed and
nothing ran, or the outcome of what ran could not be written; 126 denied, or not executable; 127 not found.
)";

struct HelpText {
  std::string_view name;
  std::string_view text;
};

constexpr HelpText kTexts[] = {
    {"run", R"(bawn run [options] -- CMD [ARG...]

Runs CMD in the current directory (or --workspace) under preset 'workspace', unless --policy, --mode, BAWN_POLICY or
BAWN_MODE names another. BAWN_TIMEOUT sets the wall time. A flag wins over a variable. A policy file may lie in the
workspace: the run keeps it as it is (tier c).

Examples
  bawn run -- python3 build.py
  bawn run --mode basic -- cat notes.txt
  bawn run --json -- sh -c 'echo hello; exit 3'
  bawn run --memory 1G --pids 100 --cpus 1.5 -- make test

With --json the outcome is the only output, also if it is 'failed' because an option behind --json or the policy is wrong.

Options
)"},
    {"exec", R"(bawn exec [options] < request.json > outcome.json

Answers one request, as an agent's tool call carries it. A policy must be named. Exits 0 whenever an outcome was written,
also for a denial or an unreadable request, and 125 if there is none.

Example
  echo '{"command":"git","args":["status"]}' | bawn exec --mode agent --allow-exec git

Options
)"},
    {"check", R"(bawn check [options] -- CMD [ARG...]
bawn check [options] --request FILE

Runs nothing. Prints every violation with what would allow it. Exits 0 if the command would be let through, 126 if not
(also in your home, where 'run' does not begin and exits 125).

Example
  bawn check --mode agent --allow-exec curl -- curl https://example.com

Options
)"},
    {"explain", R"(bawn explain [options] -- CMD [ARG...]
bawn explain [options] --request FILE

Runs nothing. Prints what a run would do, as a tree: the program, who it is, the file system it sees, part by part, its
variables, its limits with what enforces them, filters and network, each with the policy line, flag or preset it comes
from. What is denied is answered as by 'bawn check'. Exits 0 if the command would be let through, 126 if not.

Examples
  bawn explain -- make test
  bawn explain --mode agent --allow-exec git --json -- git status

Options
)"},
    {"policy", R"(bawn policy                       the presets, a line each
bawn policy show PRESET|FILE      the effective policy, with the origin of each value
bawn policy lint PRESET|FILE      what is valid but probably not meant; exits 126 if there is any
bawn policy schema                JSON Schema of policy files
)"},
    {"bench", R"(bawn bench spawn [options]

Starts a program that does nothing, again and again: by posix_spawn, by bawn as a program and as a library, by a clone with
the same namespaces, once with nothing else and once with the same root and filter (what the kernel alone takes), and by
every other launcher found on PATH (bwrap with bawn's filter, unshare, firejail, crun, nsjail, minijail0). All of them once
in each round; times are from the start of the launcher until its end. One that does not work here is listed with the reason.

Examples
  bawn bench spawn
  bawn bench spawn --runs 1000 --json --svg spawn.svg

Options
)"},
    {"doctor", R"(bawn doctor [--json]

Tries everything bawn needs of this host, in processes that end at once, and says for each thing whether it works, who
refuses it, and which command or file changes that; then which tiers work and which promises hold.

Exits 0 if tier c works and 1 if it does not. That 1 is the answer to a question, as in grep; bawn's own failure is 125 here
too.

Example
  bawn doctor --json
)"},
};

std::string options_of(std::string_view subcommand) {
  if (subcommand == "run") return option_help(Subcommand::run);
  if (subcommand == "exec") return option_help(Subcommand::exec);
  if (subcommand == "check") return option_help(Subcommand::check);
  if (subcommand == "explain") return option_help(Subcommand::explain);
  if (subcommand == "bench") return option_help(Subcommand::bench);
  return "";
}

}  // namespace

int print_help(std::string_view subcommand) {
  std::string text(kOverview);
  for (const HelpText& help : kTexts) {
    if (help.name == subcommand) text = concat(help.text, options_of(subcommand));
  }
  return print_text(text);
}

}  // namespace bawn::cli
