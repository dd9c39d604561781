#include "run/unix/process.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/text.h"

namespace bawn {
namespace {

std::optional<std::string> process_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

}  // namespace

Result<RandomBytes> random_bytes() {
  RandomBytes bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) return system_error(errno, "getentropy");
  return bytes;
}

std::function<std::optional<std::string>(std::string_view)> environment_of(
    const RunOptions& options) {
  return options.caller_env ? options.caller_env : process_variable;
}

int borrowed_files(StdioMode mode) {
  switch (mode) {
    case StdioMode::capture:
      return 0;
    case StdioMode::capture_output:
      return 1;
    case StdioMode::pass:
      return 3;
  }
  return 3;
}

std::uint32_t terminals_among(int files) {
  std::uint32_t out = 0;
  for (int fd = 0; fd < files; ++fd) {
    if (isatty(fd) == 1) out |= 1U << static_cast<unsigned>(fd);
  }
  return out;
}

Result<void> require_stdio(StdioMode mode) {
  for (int fd = 0; fd < borrowed_files(mode); ++fd) {
    if (fcntl(fd, F_GETFD) == -1)
      return invalid_error(concat("the caller's file ", fd, " is closed; open it on /dev/null"));
  }
  return {};
}

}  // namespace bawn
