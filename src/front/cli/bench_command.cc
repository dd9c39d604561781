#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <string>
#include <vector>

#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/invocation.h"

namespace bawn::cli {
namespace {

// "" if the kernel does not tell where this program is.
std::string beside_us(std::string_view name) {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) return "";
  const std::string_view own(path.data(), static_cast<std::size_t>(length));
  return concat(own.substr(0, own.rfind('/') + 1), name);
}

}  // namespace

// Returns only if bawn-bench could not be executed.
int bench_command(Words words) {
  if (asks_for_help(Subcommand::bench, words)) return print_help("bench");
  std::string program = beside_us("bawn-bench");
  std::vector<char*> argv{program.data()};
  argv.insert(argv.end(), words.begin(), words.end());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  const int reason = errno;
  return report_failure(
      "bench", system_error(reason, concat("the program that measures, ", quote(program))));
}

}  // namespace bawn::cli
