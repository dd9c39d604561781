// bawn-bench: what a run costs on this machine, beside other launchers. `bawn bench` starts it.
//
// It is a program of its own, so that bawn does not carry launchers that only a measurement needs.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "base/visible.h"
#include "bench/spawn/measure.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#include "front/cli/invocation.h"
#include "policy/text/names.h"
#include "policy/text/quantity.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::cli {
namespace {

constexpr unsigned kMostRuns = 1'000'000;
constexpr unsigned kMostParallel = 256;

Result<unsigned> count_between(std::string_view text, unsigned least, unsigned most) {
  const auto count = parse_count(text);
  if (!count || !count.value() || *count.value() < least || *count.value() > most) {
    return invalid_error(
        concat("expected a number from ", least, " to ", most, ", found ", quote(text)));
  }
  return static_cast<unsigned>(*count.value());
}

Result<bench::Effort> effort_of(const Invocation& invocation) {
  bench::Effort effort;
  if (invocation.runs) {
    const auto runs = count_between(*invocation.runs, 1, kMostRuns);
    if (!runs) return runs.error().within("--runs");
    effort.runs = runs.value();
  }
  if (!invocation.parallel) return effort;
  effort.parallel.clear();
  for (const std::string_view word : split(*invocation.parallel, ',')) {
    const auto parallel = count_between(word, 1, kMostParallel);
    if (!parallel) return parallel.error().within("--parallel, a list such as 1,2,8");
    effort.parallel.push_back(parallel.value());
  }
  return effort;
}

Result<std::optional<Tier>> tier_of(const Invocation& invocation) {
  if (!invocation.tier) return std::optional<Tier>();
  const std::string& word = *invocation.tier;
  const std::string_view objection = vocabulary<Tier>().objection(word);
  if (!objection.empty())
    return invalid_error(concat("--tier: ", quote(word), " is not a tier: ", objection));
  const std::optional<Tier> tier = vocabulary<Tier>().find(word);
  if (tier && *tier != Tier::unconfined) return tier;
  return invalid_error(
      concat("--tier: expected process (b) or namespaces (c), found ", quote(word)));
}

// Resolves symbolic links, because every launcher gets this path and must find the same file.
Result<std::string> command_of(const Invocation& invocation) {
  const std::string typed = invocation.bench_command.value_or("/bin/true");
  std::array<char, PATH_MAX> real{};
  if (realpath(typed.c_str(), real.data()) == nullptr)
    return system_error(errno, concat("--command ", quote(typed)));
  return std::string(real.data());
}

// The bawn to measure is installed beside this program.
Result<std::string> bawn_beside_us() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  const std::string_view own(path.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  const std::string bawn = concat(own.substr(0, own.rfind('/') + 1), "bawn");
  if (access(bawn.c_str(), X_OK) != 0)
    return system_error(errno, concat("the program to measure, ", quote(bawn)));
  return bawn;
}

Result<bench::BenchSetup> scene_of(const Invocation& invocation) {
  bench::BenchSetup setup;
  BAWN_ASSIGN(setup.bawn, bawn_beside_us());
  BAWN_ASSIGN(setup.tier, tier_of(invocation));
  BAWN_ASSIGN(setup.command, command_of(invocation));
  BAWN_ASSIGN(setup.workspace, absolute_path("."));
  const char* search_path = std::getenv("PATH");
  setup.search_path = search_path == nullptr ? "" : search_path;
  return setup;
}

// Called before the measurement, so that a bad path is reported before the time is spent.
Result<Fd> open_chart(const Invocation& invocation) {
  if (!invocation.svg_file) return Fd();
  BAWN_ASSIGN(const int file, sys::checked(concat("--svg ", quote(*invocation.svg_file)), [&] {
                return open(invocation.svg_file->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                            0666);
              }));
  return Fd(file);
}

Result<void> bench_spawn(const Invocation& invocation) {
  if (!invocation.command.empty()) {
    return invalid_error(concat(quote(invocation.command.front()),
                                " is not an option; the program to start is --command"));
  }
  BAWN_ASSIGN(const bench::Effort effort, effort_of(invocation));
  BAWN_ASSIGN(const bench::BenchSetup setup, scene_of(invocation));
  BAWN_ASSIGN(const Fd chart, open_chart(invocation));
  BAWN_ASSIGN(bench::Field field, bench::assemble_field(setup));
  const bench::Report report = bench::measure(std::move(field), effort);
  if (chart) {
    if (auto drawn = write_text(chart.get(), bench::report_svg(report)); !drawn)
      return system_error(drawn.error().sys_errno, concat("--svg ", quote(*invocation.svg_file)));
  }
  return write_text(STDOUT_FILENO, invocation.json
                                       ? concat(bench::report_json(report), "\n")
                                       : visible(bench::report_table(report), Layout::lines));
}

Result<void> require_spawn(Words words) {
  if (words.empty()) return invalid_error("expected 'bawn bench spawn [options]'");
  if (std::string_view(words.front()) == "spawn") return {};
  return invalid_error(
      concat(quote(words.front()), " is not a benchmark; expected 'bawn bench spawn'"));
}

int bench_program(Words words) {
  if (auto filled = fill_standard_files(); !filled) return report_failure("bench", filled.error());
  for (const std::string_view word : words) {
    if (word == "--help" || word == "-h") return print_help("bench");
  }
  if (const auto named = require_spawn(words); !named)
    return report_failure("bench", named.error());
  Invocation invocation;
  const auto parsed = parse_invocation(Subcommand::bench, words.subspan(1), invocation);
  if (!parsed) return report_failure("bench", parsed.error());
  const auto done = bench_spawn(invocation);
  return done ? 0 : report_failure("bench", done.error());
}

}  // namespace
}  // namespace bawn::cli

int main(int argc, char** argv) {
  const std::vector<char*> words = bawn::cli::command_words(argc, argv);
  return bawn::cli::bench_program(words);
}
