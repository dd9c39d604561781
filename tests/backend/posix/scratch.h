// A directory for one test, and small helpers for tests of processes on any Unix.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace bawn::posix {

// Makes a directory below /tmp; the destructor removes it with its content.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const;  // its path; does not create it

 private:
  std::string path_;  // canonical
};

void write_text(const std::string& path, std::string_view text);
[[nodiscard]] std::string read_text(const std::string& path);

// Whether the process runs. False for a zombie: it has ended, although its parent has not reaped
// it.
[[nodiscard]] bool is_alive(pid_t pid);

// Waits until the file ends in a newline and returns its text. Only the time-out of the test ends a
// wait that is in vain.
[[nodiscard]] std::string wait_for_line(const std::string& path);

}  // namespace bawn::posix
